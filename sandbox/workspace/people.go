package workspace

import (
	"slices"
	"strings"
)

// User is a person or the app's bot.
type User struct {
	ID, Name, RealName string
	Team               string // of another organisation, or a sibling on Grid; "" is this one
	Guest, Admin, Bot  bool
	OneChannel         bool     // a guest of one channel only
	Deleted            bool     // the account is switched off
	Enterprise         string   // the Grid organisation whose account it is; "": none
	Teams              []string // on Grid: the workspaces of that account
	Teamless           bool     // users.info tells no team_id, as happens on Grid
}

// Channel is a public or private channel or a direct message with the app.
// Seeded members may be given by name.
type Channel struct {
	ID, Name          string
	Private, Archived bool
	IM                string // the person the app talks to here; "" is a channel
	Group             bool   // a direct message of several people, named mpdm-…
	Host              string // the team of another organisation that shares it with this one; "" is ours
	Invited           string // a team that was asked to share it and has not answered
	Members           []string
	Crowd             int // that many more members, whose names nobody needs
}

const slackbot = "USLACKBOT"

func (w *Workspace) seed() {
	if w.installed {
		w.users = append(w.users, &User{ID: w.o.BotUserID, Name: w.o.BotName, RealName: title(w.o.BotName), Bot: true})
	}
	w.users = append(w.users,
		&User{ID: slackbot, Name: "slackbot", RealName: "Slackbot", Bot: true})
	for _, u := range w.o.Users {
		w.users = append(w.users, &u)
	}
	for _, c := range w.o.Channels {
		w.addChannel(c)
	}
	for _, g := range w.o.Groups {
		w.addGroup(g)
	}
}

func title(name string) string {
	return strings.ToUpper(name[:1]) + name[1:]
}

func (w *Workspace) addChannel(c Channel) {
	members := make([]string, 0, len(c.Members))
	for _, m := range c.Members {
		if u := w.user(m); u != nil {
			members = append(members, u.ID)
		}
	}
	c.Members = members
	w.channels = append(w.channels, &c)
}

// AddUser adds a person.
func (w *Workspace) AddUser(u User) {
	defer w.change()()
	w.users = append(w.users, &u)
}

// SetUser puts a person in the place of the one with the same id: they become a guest, say.
func (w *Workspace) SetUser(u User) {
	defer w.change()()
	if known := w.user(u.ID); known != nil {
		*known = u
	}
}

// AddChannel adds a channel; members may be given by name.
func (w *Workspace) AddChannel(c Channel) {
	defer w.change()()
	w.addChannel(c)
}

// User finds a person by id or name; the zero User: not found.
func (w *Workspace) User(idOrName string) User {
	w.mu.Lock()
	defer w.mu.Unlock()
	if u := w.user(idOrName); u != nil {
		return *u
	}
	return User{}
}

// Users are all people and bots.
func (w *Workspace) Users() []User {
	w.mu.Lock()
	defer w.mu.Unlock()
	var all []User
	for _, u := range w.users {
		all = append(all, *u)
	}
	return all
}

// Channel finds a channel by id, name or #name; the zero Channel: not
// found.
func (w *Workspace) Channel(idOrName string) Channel {
	w.mu.Lock()
	defer w.mu.Unlock()
	if c := w.channel(idOrName); c != nil {
		return c.clone()
	}
	return Channel{}
}

// Channels are all channels and direct messages.
func (w *Workspace) Channels() []Channel {
	w.mu.Lock()
	defer w.mu.Unlock()
	var all []Channel
	for _, c := range w.channels {
		all = append(all, c.clone())
	}
	return all
}

// DirectMessage is the conversation of the person with the app; it is made
// at first use. Without the app it is the zero Channel.
func (w *Workspace) DirectMessage(user string) Channel {
	defer w.change()()
	if !w.installed {
		return Channel{}
	}
	return w.openIM(w.user(user)).clone()
}

// Invite adds a person or the app to a channel.
func (w *Workspace) Invite(channel, user string) {
	defer w.change()()
	w.join(w.channel(channel), w.user(user))
}

// Kick takes a person or the app out of a channel.
func (w *Workspace) Kick(channel, user string) {
	defer w.change()()
	w.part(w.channel(channel), w.user(user))
}

func (w *Workspace) part(c *Channel, u *User) {
	was := c.has(u.ID)
	c.Members = slices.DeleteFunc(slices.Clone(c.Members), func(id string) bool { return id == u.ID })
	if was && c.has(w.o.BotUserID) {
		w.emitMember("member_left_channel", c, u)
	}
}

// emitMember tells the app who came or went where it is.
func (w *Workspace) emitMember(kind string, c *Channel, u *User) {
	w.emit(object{
		"type": kind, "user": u.ID, "channel": c.ID, "channel_type": map[bool]string{false: "C", true: "G"}[c.Private],
		"team": w.teamOf(u), "event_ts": w.stamp(),
	})
}

// Archive closes a channel: nothing can be posted there.
func (w *Workspace) Archive(channel string) {
	defer w.change()()
	w.archive(w.channel(channel))
}

func (w *Workspace) archive(c *Channel) {
	c.Archived = true
	if c.has(w.o.BotUserID) {
		w.emit(object{"type": "channel_archive", "channel": c.ID, "user": slackbot, "event_ts": w.stamp()})
	}
}

// Unarchive opens an archived channel again.
func (w *Workspace) Unarchive(channel string) {
	defer w.change()()
	w.channel(channel).Archived = false
}

// RevokeToken makes every call of the app fail as after an uninstallation.
func (w *Workspace) RevokeToken() {
	defer w.change()()
	w.revoked = true
}

// SetScopes replaces the scopes granted to the bot token.
func (w *Workspace) SetScopes(scopes ...string) {
	defer w.change()()
	w.o.Scopes = slices.Clone(scopes)
}

func (w *Workspace) join(c *Channel, u *User) {
	if c.has(u.ID) {
		return
	}
	c.Members = append(c.Members, u.ID)
	if c.has(w.o.BotUserID) {
		w.emitMember("member_joined_channel", c, u)
	}
}

func (w *Workspace) openIM(u *User) *Channel {
	for _, c := range w.channels {
		if c.IM == u.ID {
			return c
		}
	}
	c := &Channel{ID: w.id("D"), IM: u.ID, Private: true, Members: []string{u.ID, w.o.BotUserID}}
	w.channels = append(w.channels, c)
	return c
}

func (w *Workspace) user(idOrName string) *User {
	name := strings.TrimPrefix(idOrName, "@")
	for _, u := range w.users {
		if u.ID == name || strings.EqualFold(u.Name, name) {
			return u
		}
	}
	return nil
}

func (w *Workspace) channel(idOrName string) *Channel {
	name := strings.TrimPrefix(idOrName, "#")
	for _, c := range w.channels {
		if c.ID == name || c.Name != "" && c.Name == name {
			return c
		}
	}
	return nil
}

func (c *Channel) clone() Channel {
	copied := *c
	copied.Members = slices.Clone(c.Members)
	return copied
}

func (c *Channel) has(user string) bool { return slices.Contains(c.Members, user) }

// Has tells whether the user id is a member.
func (c Channel) Has(user string) bool { return slices.Contains(c.Members, user) }
