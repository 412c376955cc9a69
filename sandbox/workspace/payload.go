package workspace

import (
	"net/url"
	"strconv"
)

const (
	commandsPath     = "/slack/commands"
	interactionsPath = "/slack/interactions"
	formType         = "application/x-www-form-urlencoded"
)

// interaction is what all interaction payloads have; the caller holds the lock.
func (w *Workspace) interaction(win *Window, kind string) object {
	u := w.user(win.user)
	p := object{
		"type": kind, "token": "legacy", "api_app_id": w.o.AppID, "is_enterprise_install": w.orgWide,
		"action_ts":  w.stamp(),
		"trigger_id": w.newTrigger(win),
	}
	w.inTeam(p, u)
	return p
}

// located adds where a message is and the container of what was clicked.
func (w *Workspace) located(p object, m *Message) {
	c := w.channel(m.Channel)
	p["channel"] = object{"id": c.ID, "name": c.publicName()}
	container := object{"type": "message", "message_ts": m.TS, "channel_id": c.ID, "is_ephemeral": m.Ephemeral}
	setIf(container, "thread_ts", m.ThreadTS, m.ThreadTS != "")
	p["container"] = container
	setIf(p, "message", w.wire(m, true), !m.Ephemeral)
}

func (w *Workspace) interactionParcel(p object) parcel {
	body := url.Values{"payload": {string(encode(p))}}.Encode()
	return parcel{kind: str(p, "type"), path: interactionsPath, contentType: formType, body: []byte(body), payload: settled(p)}
}

// commandParcel is a slash command as typed; the caller holds the lock.
func (w *Workspace) commandParcel(win *Window, c *Channel, command, text, response string) parcel {
	u := w.user(win.user)
	team, domain := w.o.TeamID, w.o.TeamDomain
	if own := w.teamOf(u); w.orgWide && own != team && !w.foreign(u) { // a sibling's client is in their own workspace
		team, domain = own, "elsewhere"
	}
	form := url.Values{
		"token": {"legacy"}, "team_id": {team}, "team_domain": {domain}, "channel_id": {c.ID}, "channel_name": {c.publicName()},
		"user_id": {u.ID}, "user_name": {u.Name}, "command": {command}, "text": {text}, "api_app_id": {w.o.AppID},
		"is_enterprise_install": {strconv.FormatBool(w.orgWide)}, "response_url": {response}, "trigger_id": {w.newTrigger(win)},
	}
	if w.o.Enterprise != "" {
		form.Set("enterprise_id", w.o.Enterprise)
		form.Set("enterprise_name", "Grid")
	}
	payload := object{}
	for key := range form {
		payload[key] = form.Get(key)
	}
	return parcel{kind: kindCommand, path: commandsPath, contentType: formType, body: []byte(form.Encode()), payload: payload}
}

// publicName is the channel's name in payloads: that of a private one is kept.
func (c *Channel) publicName() string {
	switch {
	case c.IM != "":
		return "directmessage"
	case c.Group:
		return c.Name
	case c.Private:
		return "privategroup"
	}
	return c.Name
}
