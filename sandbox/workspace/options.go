package workspace

import (
	"slices"
	"time"
)

// Options describe the workspace and the one app installed in it. The zero
// value is a working workspace with made-up secrets.
type Options struct {
	SigningSecret string // signs what is delivered to the app
	BotToken      string // the only token the Web API accepts, but for connections
	AppToken      string // the app-level token that opens connections
	TeamID        string
	TeamDomain    string
	Enterprise    string // the Grid organisation that the workspace belongs to; "": none
	AppID         string
	BotUserID     string
	BotID         string
	BotName       string // the app's user name and display name
	Addr          string // where Start listens; "" = "127.0.0.1:0"
	AppURL        string // base URL of the app; /slack/commands and the like are appended

	Scopes   []string    // granted to the bot token; nil: everything the app asks for
	Events   []string    // subscribed bot events; nil: DefaultEvents
	Metadata []string    // event types of metadata_subscriptions: whose posts message_metadata_posted tells of
	Users    []User      // nil: DefaultUsers
	Channels []Channel   // nil: DefaultChannels
	Groups   []UserGroup // nil: DefaultUserGroups

	AppComesLater bool          // nobody has added the app yet: see Workspace.Install
	VerifyFirst   bool          // over HTTP no event is sent before the request URL is verified, see VerifyURL
	SocketMode    bool          // payloads go over the app's connections, nothing over HTTP
	RefreshGrace  time.Duration // a connection's life after its warning; 0: 3 s

	Now            func() time.Time // nil: time.Now
	TriggerLife    time.Duration    // 0: 3 s
	FileProcessing time.Duration    // until an uploaded picture can be shown as a slack_file; 0: at once
	AckLimit       time.Duration    // 0: 3 s
	EventRetries   []time.Duration  // waits before the retries; nil: at once, 1 min, 5 min

	PostBurst int // posts a channel takes at once before 1 a second holds; 0: 10, negative: no limit
	// Unlisted is an app that many workspaces install and the Marketplace does not list:
	// conversations.history and replies take one call a minute each, of 15 messages at most.
	Unlisted bool

	// What is chosen in a file field is told with view_submission alone, and is gone after
	// views.update. Slack's documents promise neither otherwise.
	HideChosenFiles bool

	PublicImagesOnly bool // image URLs on loopback are refused, as by the real Slack
}

// Shortcut is one of the app's shortcuts as its manifest declares it.
type Shortcut struct {
	Name     string
	Callback string
	Message  bool // in a message's menu; else global
}

// DefaultScopes are the scopes granted when Options has none.
func DefaultScopes() []string {
	return []string{
		"app_mentions:read", "channels:history", "channels:join", "channels:read", "chat:write", "commands",
		"files:read", "files:write", "groups:history", "groups:read", "im:history", "im:read", "im:write",
		"reactions:write", "usergroups:read", "users:read",
	}
}

// DefaultEvents are the bot events subscribed to when Options has none.
func DefaultEvents() []string {
	return []string{
		"app_home_opened", "app_mention", "channel_archive", "member_joined_channel", "member_left_channel",
		"message.channels", "message.groups", "message.im",
	}
}

// DefaultShortcuts are the app's, as its manifest declares them.
func DefaultShortcuts() []Shortcut {
	return []Shortcut{
		{Name: "New photo order", Callback: "new"},
		{Name: "Order these photos", Callback: "order_photos", Message: true},
		{Name: "Send to editor", Callback: "send_to_editor", Message: true},
		{Name: "Add as reference", Callback: "add_reference", Message: true},
	}
}

// DefaultUsers are Maria and Ben, Ines (a guest), Olga (an admin) and Tom (of
// another organisation).
func DefaultUsers() []User {
	return []User{
		{ID: "U0MARIA", Name: "maria", RealName: "Maria"},
		{ID: "U0BEN", Name: "ben", RealName: "Ben"},
		{ID: "U0INES", Name: "ines", RealName: "Ines", Guest: true},
		{ID: "U0OLGA", Name: "olga", RealName: "Olga", Admin: true},
		{ID: "U0TOM", Name: "tom", RealName: "Tom", Team: "T0ELSEWHERE"},
	}
}

// DefaultChannels are #shoots (public, with the app), #weddings (public,
// without it) and #studio (private, without it).
func DefaultChannels() []Channel {
	return []Channel{
		{ID: "C0SHOOTS", Name: "shoots", Members: []string{"maria", "ben", "ines", "olga", "tom", "darkroom"}},
		{ID: "C0WEDDINGS", Name: "weddings", Members: []string{"maria", "ben"}},
		{ID: "C0STUDIO", Name: "studio", Private: true, Members: []string{"maria", "ben"}},
	}
}

func (o Options) withDefaults() Options {
	fill(&o.Addr, "127.0.0.1:0")
	fill(&o.SigningSecret, "8f742231b10e8888abcd99yyyzzz85a5")
	fill(&o.BotToken, "xoxb-sandbox-token")
	fill(&o.AppToken, "xapp-sandbox-token")
	fill(&o.TeamID, "T0SANDBOX")
	fill(&o.TeamDomain, "sandbox")
	fill(&o.AppID, "A0DARKROOM")
	if !o.AppComesLater {
		fill(&o.BotUserID, "U0DARKROOM")
		fill(&o.BotID, "B0DARKROOM")
	}
	fill(&o.BotName, "darkroom")
	fill(&o.TriggerLife, 3*time.Second)
	fill(&o.AckLimit, 3*time.Second)
	fill(&o.PostBurst, 10)
	fill(&o.RefreshGrace, 3*time.Second)
	fillList(&o.Scopes, DefaultScopes())
	fillList(&o.Events, DefaultEvents())
	fillList(&o.Users, DefaultUsers())
	fillList(&o.Channels, DefaultChannels())
	fillList(&o.Groups, DefaultUserGroups())
	o.Metadata = slices.Clone(o.Metadata)
	fillList(&o.EventRetries, []time.Duration{0, time.Minute, 5 * time.Minute})
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

func fill[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

func fillList[T any](field *[]T, value []T) {
	if *field == nil {
		*field = value
	}
	*field = slices.Clone(*field)
}
