package workspace

import (
	"slices"
)

// foreign tells whether somebody belongs to another organisation: neither to this
// workspace nor, on Grid, to a sibling of it.
func (w *Workspace) foreign(u *User) bool {
	elsewhere := u.Team != "" && u.Team != w.o.TeamID
	return elsewhere && (w.o.Enterprise == "" || u.Enterprise != w.o.Enterprise)
}

// teamOf is the workspace that a person belongs to.
func (w *Workspace) teamOf(u *User) string {
	if u == nil || u.Team == "" {
		return w.o.TeamID
	}
	return u.Team
}

// external tells whether the channel is shared with another organisation: it is theirs,
// or one of their people is in it.
func (w *Workspace) external(c *Channel) bool {
	return w.guestThere(c) || slices.ContainsFunc(c.Members, func(id string) bool {
		u := w.user(id)
		return u != nil && w.foreign(u)
	})
}

// guestThere tells whether the channel is another organisation's, which shares it with us.
func (w *Workspace) guestThere(c *Channel) bool { return c.Host != "" && c.Host != w.o.TeamID }

// orgShared tells whether people of a sibling workspace are in the channel.
func (w *Workspace) orgShared(c *Channel) bool {
	return slices.ContainsFunc(c.Members, func(id string) bool {
		u := w.user(id)
		return u != nil && w.teamOf(u) != w.o.TeamID && !w.foreign(u)
	})
}

// stranger tells whether somebody of another organisation shares no channel with the app:
// that, and not being of another organisation, is what is_stranger says.
func (w *Workspace) stranger(u *User) bool {
	return w.foreign(u) && !slices.ContainsFunc(w.channels, func(c *Channel) bool {
		return c.IM == "" && c.has(u.ID) && c.has(w.o.BotUserID)
	})
}

// wireUser is a person as users.info shows them. Of people of another organisation, and
// of accounts that were switched off, Slack says less.
// Slack: docs.slack.dev/apis/slack-connect, docs.slack.dev/reference/objects/user-object.
func (w *Workspace) wireUser(u *User) object {
	team := w.teamOf(u)
	out := object{
		"id": u.ID, "team_id": team, "name": u.Name, "real_name": u.RealName, "deleted": u.Deleted,
		"is_bot": u.Bot && u.ID != slackbot, "updated": 1,
		"profile": object{"real_name": u.RealName, "display_name": u.RealName, "team": team},
	}
	switch {
	case w.foreign(u):
		out["is_stranger"], out["is_restricted"], out["is_ultra_restricted"] = w.stranger(u), false, false
	case !u.Deleted:
		out["tz"], out["tz_offset"] = "Etc/UTC", 0
		out["is_admin"], out["is_owner"], out["is_primary_owner"] = u.Admin, false, false
		out["is_restricted"], out["is_ultra_restricted"] = u.Guest || u.OneChannel, u.OneChannel
	}
	if u.Enterprise != "" {
		out["enterprise_user"] = object{
			"id": "W" + u.ID[1:], "enterprise_id": u.Enterprise, "enterprise_name": "Grid", "is_admin": false, "is_owner": false,
			"teams": append([]string{}, u.Teams...),
		}
	}
	if u.Teamless {
		delete(out, "team_id")
		delete(out["profile"].(object), "team")
	}
	return out
}

// share adds to a channel with whom it is shared.
func (w *Workspace) share(out object, c *Channel) {
	ext, org := w.external(c), w.orgShared(c)
	out["is_ext_shared"], out["is_org_shared"], out["is_shared"] = ext, org, ext || org
	out["is_pending_ext_shared"] = c.Invited != ""
	out["context_team_id"], out["conversation_host_id"] = w.o.TeamID, w.host(c)
	setIf(out, "pending_connected_team_ids", []string{c.Invited}, c.Invited != "")
}

// host is the workspace whose channel it is.
func (w *Workspace) host(c *Channel) string {
	if w.guestThere(c) {
		return c.Host
	}
	return w.o.TeamID
}

// authorized completes the outer form of an event. In a channel that another organisation
// hosts its team is theirs; whose app is meant stands in authorizations.
// Slack: docs.slack.dev/apis/slack-connect, "events".
func (w *Workspace) authorized(outer, event object) object {
	outer["team_id"] = w.o.TeamID
	setIf(outer, "enterprise_id", w.o.Enterprise, w.o.Enterprise != "")
	if c := w.channel(str(event, "channel") + str(event, "channel_id")); c != nil { // an event says one of them
		outer["team_id"], outer["context_team_id"] = w.host(c), w.o.TeamID
		outer["is_ext_shared_channel"] = w.external(c)
	}
	var enterprise any
	if w.o.Enterprise != "" {
		enterprise = w.o.Enterprise
	}
	outer["context_enterprise_id"] = enterprise
	outer["authorizations"] = []object{w.authorization()}
	return outer
}

// inTeam gives an interaction its teams: that of the person, and at the top the app's, but
// for forms, where it is the person's again.
// Where an organisation added the app, no other payload has one: so Bolt's sources say.
// Slack: the threads of bolt-js#1614 and java-slack-sdk#1041.
func (w *Workspace) inTeam(p object, u *User) {
	team := object{"id": w.o.TeamID, "domain": w.o.TeamDomain}
	if kind := str(p, "type"); w.teamOf(u) != w.o.TeamID && (kind == "view_submission" || kind == "view_closed") {
		team = object{"id": w.teamOf(u), "domain": "elsewhere"}
	}
	p["enterprise"] = nil
	if w.o.Enterprise != "" {
		p["enterprise"] = object{"id": w.o.Enterprise, "name": "Grid"}
		team["enterprise_id"], team["enterprise_name"] = w.o.Enterprise, "Grid"
	}
	p["team"] = team
	if kind := str(p, "type"); w.orgWide && kind != "view_submission" && kind != "view_closed" {
		p["team"] = nil // whose it is only the person's team_id tells
	}
	p["user"] = object{"id": u.ID, "username": u.Name, "name": u.Name, "team_id": w.teamOf(u)}
}
