package bot

import (
	"cmp"
	"fmt"
	"strconv"
	"time"

	"github.com/slack-go/slack"
)

const (
	typeEventCallback   = "event_callback"
	typeURLVerification = "url_verification"
)

// interaction is an interactive payload as far as it is used.
type interaction struct {
	Type        slack.InteractionType
	CallbackID  string
	TriggerID   string
	ResponseURL string
	ActionID    string
	BlockID     string
	Value       string
	MessageTS   string
	Hash        string

	Team       string // null for installs on a whole organisation; ours: see [ours]
	Enterprise string // see [interaction.belongs]
	OrgWide    bool
	User       person
	Channel    channel
	Container  container
	View       *slack.View
	Shown      Shown
	Message    *slack.Message
	Actions    []slack.BlockAction
}

type (
	person    struct{ ID, TeamID string }
	channel   struct{ ID, Name string }
	container struct{ ChannelID, MessageTS, ThreadTS string }
)

// DecodeInteraction decodes an interactive payload: one request, or one for each of
// several actions, in their order. at is when it was sent.
func DecodeInteraction(payload []byte, at time.Time) ([]Request, error) {
	var i interaction
	if err := readObject(payload, maxDepth, i.field); err != nil {
		return nil, err
	}
	switch {
	case i.Type == "":
		return nil, fmt.Errorf("%w: no type", ErrMalformed)
	case kinds[i.Type] == "":
		return nil, fmt.Errorf("%w: %.60q", ErrUnknownType, i.Type)
	case i.User.ID == "":
		return nil, fmt.Errorf("%w: no user", ErrMalformed)
	}
	return i.requests(i.common(payload, at), payload)
}

// field reads what has words of its own; [interaction.part] reads the objects.
func (i *interaction) field(r *reader, name []byte) {
	switch string(name) {
	case "type":
		i.Type = slack.InteractionType(r.text())
	case "callback_id":
		i.CallbackID = r.text()
	case "trigger_id":
		i.TriggerID = r.text()
	case "response_url":
		i.ResponseURL = r.text()
	case "action_id":
		i.ActionID = r.text()
	case "block_id":
		i.BlockID = r.text()
	case "value":
		i.Value = r.text()
	case "message_ts":
		i.MessageTS = r.text()
	case "hash":
		i.Hash = r.text()
	default:
		i.part(r, name)
	}
}

func (i *interaction) part(r *reader, name []byte) {
	switch string(name) {
	case "team":
		i.Team = r.textOrID()
	case "enterprise":
		i.Enterprise = r.textOrID()
	case orgWideField:
		i.OrgWide = r.truth()
	case "user":
		i.User = r.person()
	case "channel":
		i.Channel = r.channel()
	case "container":
		i.Container = r.container()
	case "view":
		i.View, i.Shown = r.view()
	case "message":
		i.Message = r.message()
	case "actions":
		i.Actions = nil
		r.list(func() { i.Actions = append(i.Actions, r.action()) })
	}
}

func (r *reader) person() (p person) {
	r.object(func(name []byte) {
		switch string(name) {
		case "id":
			p.ID = r.text()
		case "team_id":
			p.TeamID = r.text()
		}
	})
	return p
}

func (r *reader) channel() (c channel) {
	r.object(func(name []byte) {
		switch string(name) {
		case "id":
			c.ID = r.text()
		case "name":
			c.Name = r.text()
		}
	})
	return c
}

func (r *reader) container() (c container) {
	r.object(func(name []byte) {
		switch string(name) {
		case "channel_id":
			c.ChannelID = r.text()
		case "message_ts":
			c.MessageTS = r.text()
		case "thread_ts":
			c.ThreadTS = r.text()
		}
	})
	return c
}

var kinds = map[slack.InteractionType]Kind{
	slack.InteractionTypeBlockActions:    KindAction,
	slack.InteractionTypeBlockSuggestion: KindOptions,
	slack.InteractionTypeMessageAction:   KindShortcut,
	slack.InteractionTypeShortcut:        KindShortcut,
	slack.InteractionTypeViewClosed:      KindClose,
	slack.InteractionTypeViewSubmission:  KindSubmit,
}

func (i interaction) requests(q Request, payload []byte) ([]Request, error) {
	switch q.Kind {
	case KindAction:
		return i.actions(q)
	case KindSubmit, KindClose:
		return i.view(q, payload)
	case KindOptions:
		q.Name, q.BlockID, q.Value, q.ID = i.ActionID, i.BlockID, i.Value, identity("", payload)
	default: // a shortcut, global or on a message
		q.Name = i.CallbackID
	}
	return []Request{q}, nil
}

// common is what every kind of interaction has.
func (i interaction) common(payload []byte, at time.Time) Request {
	q := Request{
		Kind: kinds[i.Type], ID: identity(i.TriggerID, payload), At: at, View: i.View, Shown: i.Shown, Message: i.Message,
		Team: ours("", i.Team, "", i.User.TeamID), Enterprise: i.belongs(), OrgWide: i.OrgWide, User: i.User.ID,
		Channel: cmp.Or(i.Channel.ID, i.Container.ChannelID), ChannelName: i.Channel.Name,
		MessageTS: cmp.Or(i.Container.MessageTS, i.MessageTS), Thread: i.Container.ThreadTS,
		TriggerID: i.TriggerID, ResponseURL: i.ResponseURL,
	}
	if v := i.View; v != nil {
		q.Team = ours(v.AppInstalledTeamID, i.Team, v.TeamID, i.User.TeamID)
	}
	if m := i.Message; m != nil {
		q.MessageTS = cmp.Or(q.MessageTS, m.Timestamp)
		q.Thread = cmp.Or(q.Thread, m.ThreadTimestamp)
	}
	return q
}

func (i interaction) actions(q Request) ([]Request, error) {
	if len(i.Actions) == 0 {
		return nil, fmt.Errorf("%w: no actions", ErrMalformed)
	}
	all := make([]Request, len(i.Actions))
	for n, a := range i.Actions {
		all[n] = q
		all[n].Name, all[n].BlockID, all[n].Value, all[n].ActionTS = a.ActionID, a.BlockID, chosen(a), a.ActionTs
		if n > 0 {
			all[n].ID = q.ID + "#" + strconv.Itoa(n)
		}
	}
	return all, nil
}

// chosen is the value of a button, or what was selected.
func chosen(a slack.BlockAction) string {
	return cmp.Or(a.Value, a.SelectedOption.Value, a.SelectedUser, a.SelectedChannel, a.SelectedConversation, a.SelectedDate, a.SelectedTime)
}

func (i interaction) view(q Request, payload []byte) ([]Request, error) {
	if q.View == nil || q.View.ID == "" {
		return nil, fmt.Errorf("%w: no view", ErrMalformed)
	}
	q.Name = q.View.CallbackID
	natural := ""
	if hash := cmp.Or(q.View.Hash, i.Hash); hash != "" {
		natural = q.View.ID + ":" + hash
	}
	q.ID = identity(natural, payload)
	if q.Kind == KindClose {
		q.ID += ":closed"
	}
	return []Request{q}, nil
}
