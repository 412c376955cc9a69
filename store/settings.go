package store

import (
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

// Relay says which replies in an order's thread reach the editor.
type Relay string

// The relay modes. The zero value means RelayMentions.
const (
	RelayMentions Relay = "mentions" // only what somebody sends on purpose
	RelayReplies  Relay = "replies"  // every reply, but those that begin with //
)

// ContactSheets says which reviews show before and after side by side in one picture.
type ContactSheets string

// The choices. The zero value means SheetsOff.
const (
	SheetsOff   ContactSheets = "off"   // none
	SheetsEvery ContactSheets = "every" // each
	SheetsLater ContactSheets = "later" // those of later rounds: the previous and the new edit
)

// Settings are a channel's own; the zero value is what a channel has that set nothing.
type Settings struct {
	Relay  Relay         `json:"relay,omitempty"`
	Sheets ContactSheets `json:"sheets,omitempty"` // "": none
	// FinalImages says that the final images are uploaded into the thread of an order that is approved. The zero value
	// leaves it at links to them.
	FinalImages bool `json:"final_images,omitempty"`
	// Decides says who decides about orders. The zero value leaves it to every member.
	Decides Decides `json:"decides,omitzero"`
	// RemindHours is after how many hours the thread of an order that waits for somebody here says so, once a
	// round; 0: never.
	RemindHours int `json:"remind_hours,omitempty"`
	// SayLate says that an order's thread tells once that the estimate of its delivery has passed.
	SayLate bool `json:"say_late,omitempty"`
	// Digest is when the channel reads each day what waits, what is late and what is due; "": never.
	Digest order.ClockTime `json:"digest,omitempty"`
	// Unfurl says that a message which names orders by their references is answered in its thread with how they
	// stand. The zero value answers nothing.
	Unfurl bool `json:"unfurl,omitempty"`
	// Quiet are the hours in which reminders and the digest wait; zero: none.
	Quiet order.QuietHours `json:"quiet,omitzero"`
	// Zone is the time zone of all these times, as "Europe/Berlin"; "": UTC.
	Zone string `json:"zone,omitempty"`
}

// Decides is who decides about a channel's orders.
type Decides struct {
	// Approvers are the user ids of those who alone may approve, with the members of ApproverGroups; none of
	// either: every member may.
	Approvers []string `json:"approvers,omitempty"`
	// ApproverGroups are the ids of the user groups whose members may approve, whoever they are by then.
	ApproverGroups []string `json:"approver_groups,omitempty"`
	// Spenders are the user ids of those who order without being asked about, besides the approvers and the
	// members of SpenderGroups; none of either: every member does.
	Spenders []string `json:"spenders,omitempty"`
	// SpenderGroups are the ids of the user groups whose members order without being asked about.
	SpenderGroups []string `json:"spender_groups,omitempty"`
	// OrderLimit and MonthLimit are credits, of one order and of a month's. What goes over one is asked of an
	// approver; 0: nothing is.
	OrderLimit int `json:"order_limit,omitempty"`
	MonthLimit int `json:"month_limit,omitempty"`
}

// Limited reports whether an order is asked of an approver for what it costs.
func (d Decides) Limited() bool { return d.OrderLimit > 0 || d.MonthLimit > 0 }

// AskedOf are all who approve where not every member does: user ids, then those of user groups.
func (d Decides) AskedOf() []string { return slices.Concat(d.Approvers, d.ApproverGroups) }

// MaySpend is whether the person orders without being asked about, as long as no limit says otherwise; when
// they are not named themselves, membership of any of the user groups says so, too.
func (d Decides) MaySpend(user string) (may bool, groups []string) {
	if len(d.Spenders)+len(d.SpenderGroups) == 0 || slices.Contains(d.Spenders, user) || slices.Contains(d.Approvers, user) {
		return true, nil
	}
	return false, slices.Concat(d.SpenderGroups, d.ApproverGroups)
}

// MayApprove is whether the person may approve, as far as the settings have a say in it; when they are not
// named themselves, membership of any of the user groups says so, too.
func (d Decides) MayApprove(user string) (may bool, groups []string) {
	if len(d.Approvers)+len(d.ApproverGroups) == 0 || slices.Contains(d.Approvers, user) {
		return true, nil
	}
	return false, d.ApproverGroups
}

// Equal reports whether both leave the same to the same people.
func (d Decides) Equal(other Decides) bool {
	return slices.Equal(d.AskedOf(), other.AskedOf()) && slices.Equal(d.Spenders, other.Spenders) &&
		slices.Equal(d.SpenderGroups, other.SpenderGroups) &&
		d.OrderLimit == other.OrderLimit && d.MonthLimit == other.MonthLimit
}

// Reminds says that the channel is told of something because time has passed.
func (s Settings) Reminds() bool { return s.RemindHours > 0 || s.SayLate || s.Digest.Valid() }

// RemindAfter is how long an order waits for somebody before that is said; 0: for ever.
func (s Settings) RemindAfter() time.Duration { return time.Duration(s.RemindHours) * time.Hour }

// Clock is the zone of the channel's times.
func (s Settings) Clock() *time.Location { return order.Zone(s.Zone) }

// Wait is when something that is due at that moment may be said: then, or after the quiet hours.
func (s Settings) Wait(due time.Time) time.Time { return s.Quiet.Wait(due, s.Clock()) }

// ChannelSettings keeps the settings of channels and of the workspace.
type ChannelSettings struct {
	db    kv.DB
	polls *queue.Queue
}

// Of returns a channel's settings.
func (s *ChannelSettings) Of(ctx context.Context, team, channel string) (settings Settings, err error) {
	err = s.db.ReadJSON(ctx, s.db.Key("settings", team, channel), &settings, nil)
	return settings, settingsError(channel, err)
}

// EditSettings changes a channel's settings, and those of all channels, in one step: what somebody else changes at the
// same time is not lost, so change may be called again. An error of change's ends it and is returned.
func (s *ChannelSettings) EditSettings(ctx context.Context, team, channel string, change func(now *Settings, all *Account) error) error {
	return settingsError(channel, kv.RetryOnConflict(kv.ErrBusy, func() (kv.Result, error) { return s.editSettings(ctx, team, channel, change) }))
}

// editSettings is one round.
func (s *ChannelSettings) editSettings(ctx context.Context, team, channel string, change func(now *Settings, all *Account) error) (kv.Result, error) {
	var now Settings
	var all Account
	keys := script.Keys{"settings": s.db.Key("settings", team, channel), "account": s.db.Key("settings", team, ""), "reminding": s.db.Key("reminding")}
	before, err := s.db.ReadDoc(ctx, keys["settings"], &now)
	if err != nil {
		return kv.Stale, err
	}
	allBefore, err := s.db.ReadDoc(ctx, keys["account"], &all)
	if err != nil {
		return kv.Stale, err
	}
	unchanged := all
	if err := change(&now, &all); err != nil {
		return kv.Stale, err
	}
	account := allBefore
	if all != unchanged {
		account = kv.Encode(all)
	}
	code, err := s.db.Run(ctx, "edit_settings", keys, script.Args{
		"place": team + ":" + channel, "reminds": now.Reminds(), "before": before, "doc": kv.Encode(now), "account_before": allBefore, "account_doc": account,
		"poll": s.polls.WakeArgs(tenants.PollJob()),
	})
	return kv.Result(code), err
}

// Place is a channel.
type Place struct{ Team, Channel string }

// Reminding are the settings of all channels that are told of something because time has passed.
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

// addSettings adds those of these places, but of those that have none.
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
		text, kept := doc.(string)
		if !kept {
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

// Credits says who reads what the account has left.
type Credits string

// Who reads the credits. The zero value means CreditsMembers.
const (
	CreditsMembers   Credits = "members"   // every full member
	CreditsOperators Credits = "operators" // operators only
)

// Account are the settings that hold for all of a workspace's channels.
type Account struct {
	Credits Credits `json:"credits,omitempty"`
	// MonthLimit is the credits of a month, of all channels together. What goes over it is asked of an operator; 0:
	// nothing is.
	MonthLimit int `json:"month_limit,omitempty"`
}

// Account returns the settings of the whole workspace.
func (s *ChannelSettings) Account(ctx context.Context, team string) (account Account, err error) {
	err = s.db.ReadJSON(ctx, s.db.Key("settings", team, ""), &account, nil)
	return account, settingsError(team, err)
}

func settingsError(channel string, err error) error { return kv.About("settings of", channel, err) }
