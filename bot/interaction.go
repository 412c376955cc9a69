package bot

import (
	"cmp"
	"fmt"
	"strconv"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot/lenient"
)

const (
	typeEventCallback   = "event_callback"
	typeURLVerification = "url_verification"
)

// interaction has the used fields of an interactive payload.
type interaction struct {
	Type        slack.InteractionType `json:"type"`
	CallbackID  string                `json:"callback_id"`
	TriggerID   string                `json:"trigger_id"`
	ResponseURL string                `json:"response_url"`
	ActionID    string                `json:"action_id"`
	BlockID     string                `json:"block_id"`
	Value       string                `json:"value"`
	MessageTS   string                `json:"message_ts"`
	Hash        string                `json:"hash"`

	Team       lenient.String `json:"team"`       // null if installed for a whole organisation; see [owningTeam]
	Enterprise lenient.String `json:"enterprise"` // see [interaction.owningEnterprise]
	OrgWide    lenient.Truth  `json:"is_enterprise_install"`
	User       person         `json:"user"`
	Channel    channel        `json:"channel"`
	Container  container      `json:"container"`
	View       *view          `json:"view"`
	Message    *message       `json:"message"`
	Actions    []action       `json:"actions"`
}

type person struct {
	ID     string `json:"id"`
	TeamID string `json:"team_id"`
}

type channel struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

type container struct {
	ChannelID string `json:"channel_id"`
	MessageTS string `json:"message_ts"`
	ThreadTS  string `json:"thread_ts"`
}

// DecodeInteraction decodes an interactive payload: one request, or one for each of several actions, in
// order. at is when Slack sent it.
func DecodeInteraction(payload []byte, at time.Time) ([]Request, error) {
	var i interaction
	if err := lenient.DecodeNarrow(payload, &i, lenient.MaxDepth); err != nil {
		return nil, err
	}
	switch {
	case i.Type == "":
		return nil, fmt.Errorf("%w: no type", lenient.ErrMalformed)
	case kinds[i.Type] == "":
		return nil, fmt.Errorf("%w: %.60q", ErrUnknownType, i.Type)
	case i.User.ID == "":
		return nil, fmt.Errorf("%w: no user", lenient.ErrMalformed)
	}
	return i.requests(i.common(payload, at), payload)
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

// common returns a request with the fields that all kinds of interaction share.
func (i interaction) common(payload []byte, at time.Time) Request {
	q := Request{
		Kind: kinds[i.Type], ID: identity(i.TriggerID, payload), At: at, Message: i.Message.toSlack(),
		Team: owningTeam("", string(i.Team), "", i.User.TeamID), Enterprise: i.owningEnterprise(), OrgWide: bool(i.OrgWide), User: i.User.ID,
		Channel: cmp.Or(i.Channel.ID, i.Container.ChannelID), ChannelName: i.Channel.Name,
		MessageTS: cmp.Or(i.Container.MessageTS, i.MessageTS), Thread: i.Container.ThreadTS,
		TriggerID: i.TriggerID, ResponseURL: i.ResponseURL,
	}
	q.View, q.ViewSummary = i.View.toSlack()
	if v := i.View; v != nil {
		q.Team = owningTeam(v.AppInstalledTeamID, string(i.Team), v.TeamID, i.User.TeamID)
	}
	if m := i.Message; m != nil {
		q.MessageTS = cmp.Or(q.MessageTS, m.Timestamp)
		q.Thread = cmp.Or(q.Thread, m.ThreadTimestamp)
	}
	return q
}

func (i interaction) actions(q Request) ([]Request, error) {
	if len(i.Actions) == 0 {
		return nil, fmt.Errorf("%w: no actions", lenient.ErrMalformed)
	}
	all := make([]Request, len(i.Actions))
	for n, a := range i.Actions {
		all[n] = q
		all[n].Name, all[n].BlockID, all[n].Value, all[n].ActionTS = a.ActionID, a.BlockID, chosen(a), a.ActionTS
		if n > 0 {
			all[n].ID = q.ID + "#" + strconv.Itoa(n)
		}
	}
	return all, nil
}

// chosen returns a button's value or the selected value.
func chosen(a action) string {
	return cmp.Or(a.Value, a.SelectedOption.Value, a.SelectedUser, a.SelectedChannel, a.SelectedConversation, a.SelectedDate, a.SelectedTime)
}

func (i interaction) view(q Request, payload []byte) ([]Request, error) {
	if q.View == nil || q.View.ID == "" {
		return nil, fmt.Errorf("%w: no view", lenient.ErrMalformed)
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
