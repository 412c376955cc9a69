package workspace

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
)

// Host is the Slack that several workspaces live in. It serves them, knows every token there
// is, and gives each the connections that they share.
type Host struct {
	Base    string                    // where it serves this workspace alone: files and response URLs lie below; no trailing slash
	Mark    string                    // digits that tell ids which must differ everywhere from those of other workspaces
	Client  *http.Client              // to the app; nil: one of its own
	Judge   func(token string) string // Slack's word against a token that came to this workspace; "": none
	Desk    *Workspace                // whose connections in Socket Mode deliver; nil: its own
	Methods map[string]Method         // those that are the host's, not the workspace's
}

// Method carries out a call that is the host's affair; no lock is held.
type Method func(c Call) (map[string]any, error)

// Call is a call of a host's method.
type Call struct {
	Token  string
	Header http.Header
	Args   map[string]any
}

// hosted is a method of the host; nil: not such a method.
func (w *Workspace) hosted(name string) Method { return w.in.Methods[name] }

// Refusal is an answer with ok:false.
func Refusal(code string) error { return fails(code) }

// StartIn makes the workspace live in a Slack of several, which serves it: it listens nowhere.
func (w *Workspace) StartIn(h Host) {
	w.mu.Lock()
	w.in, w.base = h, h.Base
	if h.Client != nil {
		w.client = h.Client
	}
	w.mu.Unlock()
	if h.Desk != nil {
		h.Desk.takeIn(w)
	}
	w.running.Go(w.deliverEvents)
}

// takeIn lets another workspace share the connections.
func (w *Workspace) takeIn(tenant *Workspace) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tenants = append(w.tenants, tenant)
}

// desk is the workspace whose connections deliver.
func (w *Workspace) desk() *Workspace {
	if w.in.Desk != nil {
		return w.in.Desk
	}
	return w
}

// unique is an identifier that no other workspace gives; the caller holds the lock.
func (w *Workspace) unique(prefix string) string { return w.id(prefix + w.in.Mark) }

// Installation is the app in this workspace.
type Installation struct {
	BotUser, BotID string
	Scopes         []string
	OrgWide        bool // the organisation added it, with one token for several workspaces
}

// Install adds the app: its bot is one of the people from now on, and in no channel.
func (w *Workspace) Install(i Installation) {
	defer w.change()()
	if w.o.BotUserID != i.BotUser {
		w.forgetBot()
	}
	w.o.BotUserID, w.o.BotID, w.o.Scopes = i.BotUser, i.BotID, slices.Clone(i.Scopes)
	w.installed, w.orgWide, w.revoked = true, i.OrgWide, false
	if known := w.user(i.BotUser); known != nil {
		known.Deleted = false
	} else {
		w.users = append(w.users, &User{ID: i.BotUser, Name: w.o.BotName, RealName: title(w.o.BotName), Bot: true})
	}
	for _, c := range w.channels {
		if c.IM != "" && !c.has(i.BotUser) {
			c.Members = append(slices.Clone(c.Members), i.BotUser)
		}
	}
}

// forgetBot makes room for another bot: the name is free, and people's messages with the old one are closed.
func (w *Workspace) forgetBot() {
	if old := w.user(w.o.BotUserID); old != nil {
		old.Deleted = true
		old.Name = "former-" + old.Name + "-" + old.ID
	}
	w.channels = slices.DeleteFunc(w.channels, func(c *Channel) bool { return c.IM != "" })
}

// Uninstall takes the app away: its bot is switched off and in no channel, its App Home and forms
// are gone, and nothing reaches it any more, though it was to be told.
func (w *Workspace) Uninstall() {
	defer w.change()()
	w.installed = false
	w.pending = nil
	if bot := w.user(w.o.BotUserID); bot != nil {
		bot.Deleted = true
	}
	for _, c := range w.channels {
		c.Members = slices.DeleteFunc(slices.Clone(c.Members), func(id string) bool { return id == w.o.BotUserID })
	}
	for _, v := range w.views {
		if v.window != nil {
			w.dropAll(v.window)
		}
	}
	clear(w.views)
	clear(w.homes)
	clear(w.triggers)
	clear(w.responses)
}

// Installed tells whether the app is here.
func (w *Workspace) Installed() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.installed
}

// Announce tells the app of an event about itself, whatever it may read and whether it is still
// here. The outer form has team and app, and what is given beside them; null takes a member away.
func (w *Workspace) Announce(event, outer map[string]any) {
	defer w.change()()
	if !slices.Contains(w.o.Events, str(event, "type")) {
		return
	}
	form := object{
		"type": "event_callback", "token": "legacy", "api_app_id": w.o.AppID, "team_id": w.o.TeamID, "event": settled(event),
		"event_id": w.unique("Ev"), "event_time": w.now().Unix(),
	}
	setIf(form, "enterprise_id", w.o.Enterprise, w.o.Enterprise != "")
	maps.Copy(form, outer)
	w.pending = append(w.pending, form)
	w.rouse()
}

// installs are the organisation, workspace and kind of installation as payloads tell them.
func (w *Workspace) authorization() object {
	var enterprise, team any = nil, w.o.TeamID
	if w.o.Enterprise != "" {
		enterprise = w.o.Enterprise
	}
	if w.orgWide {
		team = nil
	}
	return object{
		"enterprise_id": enterprise, "team_id": team, "user_id": w.o.BotUserID, "is_bot": true, "is_enterprise_install": w.orgWide,
	}
}

// notThere is what a person reads who wants something of an app that is not in the workspace.
func notThere(command string) string {
	return fmt.Sprintf("%s is not a valid command. In Slack, all messages that start with the \"/\" character are interpreted as commands.", command)
}

// Knows tells whether something that a call names is here: a channel, a file, a view, a trigger or a person.
func (w *Workspace) Knows(args map[string]any) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	name := func(key string) string { return str(args, key) }
	switch {
	case name("channel") != "" && w.channelByID(name("channel")) != nil,
		name("channel_id") != "" && w.channelByID(name("channel_id")) != nil,
		name("trigger_id") != "" && w.triggers[name("trigger_id")] != nil,
		name("view_id") != "" && w.views[name("view_id")] != nil,
		name("external_id") != "" && w.externalTaken(name("external_id"), nil),
		name("file") != "" && w.files[name("file")] != nil:
		return true
	}
	for _, key := range []string{"user_id", "user", "users", "channel"} {
		if u := w.user(name(key)); u != nil && u.ID == name(key) && !w.foreign(u) {
			return true
		}
	}
	return false
}

func (w *Workspace) channelByID(id string) *Channel {
	for _, c := range w.channels {
		if c.ID == id {
			return c
		}
	}
	return nil
}

// ID is the workspace's team id.
func (w *Workspace) ID() string { return w.o.TeamID }

// Enterprise is the organisation that the workspace belongs to; "": none.
func (w *Workspace) Enterprise() string { return w.o.Enterprise }

// Members are the people whose accounts are the workspace's: no bots, nobody who left, nobody of elsewhere.
func (w *Workspace) Members() []User {
	w.mu.Lock()
	defer w.mu.Unlock()
	var all []User
	for _, u := range w.users {
		if !u.Bot && !u.Deleted && w.teamOf(u) == w.o.TeamID {
			all = append(all, *u)
		}
	}
	return all
}
