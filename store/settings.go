package store

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"darkroom/order"
	"darkroom/store/kv"
	"darkroom/store/queue"
	"darkroom/store/script"
	"darkroom/store/tenants"
)

// Relay selects which replies in an order's thread reach the editor.
type Relay string

// The relay modes. The zero value means RelayMentions.
const (
	RelayMentions Relay = "mentions" // only what somebody sends on purpose
	RelayReplies  Relay = "replies"  // every reply, except those that begin with //
)

// ContactSheets selects the reviews that show before and after side by side in one picture.
type ContactSheets string

// The choices. The zero value means SheetsLater.
const (
	SheetsLater ContactSheets = "later" // reviews from round 2 on
	SheetsEvery ContactSheets = "every" // all reviews
	SheetsOff   ContactSheets = "off"   // no reviews
)

// News selects where the news of a channel's orders calls people. Their cards and threads stay in the channel.
type News string

// The places. The zero value means NewsChannel.
const (
	NewsChannel News = "channel" // what asks somebody to act is broadcast
	NewsThread  News = "thread"  // nothing is broadcast
	NewsDirect  News = "direct"  // nothing is broadcast; the requester gets direct messages
)

// Saver is who last changed some settings, and when; zero: nobody has.
type Saver struct {
	By string    `json:"by"` // Slack user id, or [order.FormerPerson]
	At time.Time `json:"at"`
}

// Savers are the last savers of a channel's settings, by window.
type Savers struct {
	Orders   Saver `json:"orders,omitzero"`
	Approval Saver `json:"approval,omitzero"`
	Messages Saver `json:"messages,omitzero"`
	Photos   Saver `json:"photos,omitzero"`
}

// Settings are a channel's settings; the zero value has the defaults.
type Settings struct {
	Relay  Relay         `json:"relay,omitempty"`
	News   News          `json:"news,omitempty"`
	Sheets ContactSheets `json:"sheets,omitempty"` // "": SheetsLater
	// FinalImages uploads the final images into the thread of an approved order. False: the thread
	// has only links to them.
	FinalImages bool `json:"final_images,omitempty"`
	// Decides names the people who decide about orders; zero: every member.
	Decides Decides `json:"decides,omitzero"`
	// RemindHours is the number of hours after which a waiting order's thread gets a reminder, once a
	// round; 0: never.
	RemindHours int `json:"remind_hours,omitempty"`
	// SayLate makes an order's thread say once that the estimated delivery has passed.
	SayLate bool `json:"say_late,omitempty"`
	// Digest is the time of the daily digest: waiting, late and due orders; "": never.
	Digest order.ClockTime `json:"digest,omitempty"`
	// Unfurl answers a message that names orders by their references, in its thread, with the orders'
	// states.
	Unfurl bool `json:"unfurl,omitempty"`
	// Requires says what each delivered photo must be, unless the order's preset says it; zero: anything.
	Requires order.Requirements `json:"requires,omitzero"`
	// Quiet are the hours in which reminders and the digest wait; zero: no quiet hours.
	Quiet order.QuietHours `json:"quiet,omitzero"`
	// Zone is the time zone of all these times, as "Europe/Berlin"; "": UTC.
	Zone  string `json:"zone,omitempty"`
	Saved Savers `json:"saved,omitzero"`
}

// Binds reports whether a change from before binds other people: what reaches the editor, where news appears, and who
// decides.
func (s Settings) Binds(before Settings) bool {
	return cmp.Or(s.Relay, RelayMentions) != cmp.Or(before.Relay, RelayMentions) ||
		cmp.Or(s.News, NewsChannel) != cmp.Or(before.News, NewsChannel) || !s.Decides.Equal(before.Decides)
}

// Decides names the people who decide about a channel's orders.
type Decides struct {
	// Approvers are the user ids of the approvers. Members of ApproverGroups may approve, too; if both are
	// empty, every member may.
	Approvers []string `json:"approvers,omitempty"`
	// ApproverGroups are the ids of the user groups whose current members may approve.
	ApproverGroups []string `json:"approver_groups,omitempty"`
	// Spenders are the user ids of people who order without an approver. Approvers and members of
	// SpenderGroups may, too; if Spenders and SpenderGroups are empty, every member may.
	Spenders []string `json:"spenders,omitempty"`
	// SpenderGroups are the ids of the user groups whose members order without an approver.
	SpenderGroups []string `json:"spender_groups,omitempty"`
	// OrderLimit and MonthLimit are in credits, for one order and for a month. An approver is asked about an
	// order that exceeds one; 0: no limit.
	OrderLimit int `json:"order_limit,omitempty"`
	MonthLimit int `json:"month_limit,omitempty"`
}

// Limited reports whether the channel limits the cost of orders.
func (d Decides) Limited() bool { return d.OrderLimit > 0 || d.MonthLimit > 0 }

// AskedOf returns all approvers: user ids, then ids of user groups; empty: every member approves.
func (d Decides) AskedOf() []string { return slices.Concat(d.Approvers, d.ApproverGroups) }

// MaySpend reports whether the person orders without an approver, within the limits. If not, members of any of
// the groups may.
func (d Decides) MaySpend(user string) (may bool, groups []string) {
	if len(d.Spenders)+len(d.SpenderGroups) == 0 || slices.Contains(d.Spenders, user) || slices.Contains(d.Approvers, user) {
		return true, nil
	}
	return false, slices.Concat(d.SpenderGroups, d.ApproverGroups)
}

// MayApprove reports whether the settings let the person approve. If not, members of any of the groups
// may.
func (d Decides) MayApprove(user string) (may bool, groups []string) {
	if len(d.Approvers)+len(d.ApproverGroups) == 0 || slices.Contains(d.Approvers, user) {
		return true, nil
	}
	return false, d.ApproverGroups
}

// Equal reports whether both name the same people, groups and limits.
func (d Decides) Equal(other Decides) bool {
	return slices.Equal(d.AskedOf(), other.AskedOf()) && slices.Equal(d.Spenders, other.Spenders) &&
		slices.Equal(d.SpenderGroups, other.SpenderGroups) &&
		d.OrderLimit == other.OrderLimit && d.MonthLimit == other.MonthLimit
}

// Reminds reports whether the channel gets reminders, notices of lateness or a digest.
func (s Settings) Reminds() bool { return s.RemindHours > 0 || s.SayLate || s.Digest.Valid() }

// RemindAfter returns how long an order waits before its reminder; 0: no reminder.
func (s Settings) RemindAfter() time.Duration { return time.Duration(s.RemindHours) * time.Hour }

// Clock returns the time zone of the channel's times.
func (s Settings) Clock() *time.Location { return order.Zone(s.Zone) }

// Wait returns when a reminder or digest that is due then may be posted: then, or after the quiet hours.
func (s Settings) Wait(due time.Time) time.Time { return s.Quiet.Wait(due, s.Clock()) }

// ChannelSettings saves the settings of channels and of the workspace.
type ChannelSettings struct {
	db           kv.DB
	queue, polls *queue.Queue
}

// Of returns a channel's settings.
func (s *ChannelSettings) Of(ctx context.Context, team, channel string) (settings Settings, err error) {
	err = s.db.ReadJSON(ctx, s.db.Key("settings", team, channel), &settings, nil)
	return settings, settingsError(channel, err)
}

// SettingsEdit is a person's edit of a channel's settings.
type SettingsEdit struct {
	Team, Channel string
	By            string // Slack user id
	ID            string // names the edit: its announcement is put once
}

// EditSettings changes a channel's settings, and those of all channels, in one step. It calls change again after a
// concurrent edit, and returns change's error. An edit that binds others is announced in the channel.
func (s *ChannelSettings) EditSettings(ctx context.Context, e SettingsEdit, change func(now *Settings, all *Account) error) error {
	return settingsError(e.Channel, kv.RetryOnConflict(kv.ErrBusy, func() (kv.Result, error) { return s.editSettings(ctx, e, change) }))
}

// editSettings is one try of [ChannelSettings.EditSettings].
func (s *ChannelSettings) editSettings(ctx context.Context, e SettingsEdit, change func(now *Settings, all *Account) error) (kv.Result, error) {
	var before Settings
	var all Account
	keys := script.Keys{"settings": s.db.Key("settings", e.Team, e.Channel), "account": s.db.Key("settings", e.Team, ""), "reminding": s.db.Key("reminding")}
	doc, err := s.db.ReadDoc(ctx, keys["settings"], &before)
	if err != nil {
		return kv.Stale, err
	}
	allBefore, err := s.db.ReadDoc(ctx, keys["account"], &all)
	if err != nil {
		return kv.Stale, err
	}
	now, unchanged := before, all
	if err := change(&now, &all); err != nil {
		return kv.Stale, err
	}
	account := allBefore
	if all != unchanged {
		account = kv.Encode(all)
	}
	args := script.Args{
		"place": e.Team + ":" + e.Channel, "reminds": now.Reminds(), "before": doc, "doc": kv.Encode(now), "account_before": allBefore, "account_doc": account,
		"poll": s.polls.WakeArgs(tenants.PollJob()),
	}
	if e.By != "" && now.Binds(before) {
		args["announce"] = s.queue.PutArgs(ctx, settingsJob(e, before, now))
	}
	code, err := s.db.Run(ctx, "edit_settings", keys, args)
	return kv.Result(code), err
}

// Place is a channel of a team.
type Place struct{ Team, Channel string }

// Reminding returns the settings of all channels that [Settings.Reminds] is true for.
func (s *ChannelSettings) Reminding(ctx context.Context) (map[Place]Settings, error) {
	places, err := s.db.Redis.SMembers(ctx, s.db.Key("reminding")).Result()
	if err != nil {
		return nil, kv.About("channels that are", "reminded", err)
	}
	all := make(map[Place]Settings, len(places))
	for batch := range slices.Chunk(places, listBatch) {
		if err := s.addSettings(ctx, all, batch); err != nil {
			return nil, kv.About("channels that are", "reminded", err)
		}
	}
	return all, nil
}

// OfAll returns the settings of those of a team's channels that have some.
func (s *ChannelSettings) OfAll(ctx context.Context, team string, channels []string) (map[Place]Settings, error) {
	all := make(map[Place]Settings, len(channels))
	for batch := range slices.Chunk(channels, listBatch) {
		places := make([]string, len(batch))
		for i, channel := range batch {
			places[i] = team + ":" + channel
		}
		if err := s.addSettings(ctx, all, places); err != nil {
			return nil, kv.About("settings of the channels of", team, err)
		}
	}
	return all, nil
}

// addSettings reads the settings of these places; places without settings are left out.
func (s *ChannelSettings) addSettings(ctx context.Context, all map[Place]Settings, places []string) error {
	keys := make([]string, len(places))
	for i, place := range places {
		keys[i] = s.db.Key("settings", place)
	}
	docs, err := s.db.Redis.MGet(ctx, keys...).Result()
	if err != nil {
		return err
	}
	for i, doc := range docs {
		text, exists := doc.(string)
		if !exists {
			continue
		}
		var settings Settings
		if err := json.Unmarshal([]byte(text), &settings); err != nil {
			return settingsError(places[i], err)
		}
		team, channel, _ := strings.Cut(places[i], ":")
		all[Place{team, channel}] = settings
	}
	return nil
}

// Credits selects who may read the account's remaining credits.
type Credits string

// The readers of the credits. The zero value means CreditsMembers.
const (
	CreditsMembers   Credits = "members"   // every full member
	CreditsOperators Credits = "operators" // operators only
)

// Account are the settings of a whole workspace.
type Account struct {
	Credits Credits `json:"credits,omitempty"`
	// MonthLimit is the credits of a month, for all channels together. An operator is asked about an order that exceeds
	// it; 0: no limit.
	MonthLimit int   `json:"month_limit,omitempty"`
	Saved      Saver `json:"saved,omitzero"`
}

// Account returns the settings of the whole workspace.
func (s *ChannelSettings) Account(ctx context.Context, team string) (account Account, err error) {
	err = s.db.ReadJSON(ctx, s.db.Key("settings", team, ""), &account, nil)
	return account, settingsError(team, err)
}

func settingsError(channel string, err error) error { return kv.About("settings of", channel, err) }
