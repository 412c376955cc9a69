package bot

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/slack-go/slack"
)

const (
	typeEventCallback   = "event_callback"
	typeURLVerification = "url_verification"
)

// interaction is an interactive payload as far as it is routed by. Views and messages
// are decoded apart: one strange block in them must not cost the click.
type interaction struct {
	Type        slack.InteractionType `json:"type"`
	CallbackID  string                `json:"callback_id"`
	TriggerID   string                `json:"trigger_id"`
	ResponseURL string                `json:"response_url"`
	ActionID    string                `json:"action_id"`
	BlockID     string                `json:"block_id"`
	Value       string                `json:"value"`
	MessageTS   flexString            `json:"message_ts"`
	Hash        string                `json:"hash"`

	Team flexString `json:"team"` // null for installs on a whole organisation; ours: see teams
	User struct {
		ID     string     `json:"id"`
		TeamID flexString `json:"team_id"`
	} `json:"user"`
	Channel struct {
		ID   string `json:"id"`
		Name string `json:"name"`
	} `json:"channel"`
	Container struct {
		MessageTS flexString `json:"message_ts"`
		ThreadTS  flexString `json:"thread_ts"`
		ChannelID flexString `json:"channel_id"`
	} `json:"container"`
	ResponseURLs []struct {
		ChannelID   string `json:"channel_id"`
		ResponseURL string `json:"response_url"`
	} `json:"response_urls"`

	View    json.RawMessage `json:"view"`
	Message json.RawMessage `json:"message"`
	Actions []action        `json:"actions"`
}

// action is one element acted on; what it chose sits under a name of its type.
type action struct {
	ActionID  string     `json:"action_id"`
	BlockID   string     `json:"block_id"`
	ActionTS  flexString `json:"action_ts"`
	Value     string     `json:"value"`
	SelOption struct {
		Value string `json:"value"`
	} `json:"selected_option"`
	SelUser         string `json:"selected_user"`
	SelChannel      string `json:"selected_channel"`
	SelConversation string `json:"selected_conversation"`
	SelDate         string `json:"selected_date"`
	SelTime         string `json:"selected_time"`
}

func (a action) value() string {
	return cmp.Or(a.Value, a.SelOption.Value, a.SelUser, a.SelChannel, a.SelConversation, a.SelDate, a.SelTime)
}

// DecodeInteraction decodes an interactive payload: one request, or one for each of
// several actions, in their order. at is when it was sent.
func DecodeInteraction(payload []byte, at time.Time) ([]Request, error) {
	var i interaction
	if err := decodeJSON(payload, &i); err != nil {
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
	q, err := i.common(payload, at)
	if err != nil {
		return nil, err
	}
	return i.requests(q, payload)
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
func (i interaction) common(payload []byte, at time.Time) (Request, error) {
	view, err := decodeView(i.View)
	if err != nil {
		return Request{}, err
	}
	whose := teams{outer: i.Team, person: i.User.TeamID}
	if view != nil {
		whose.installed = flexString(view.AppInstalledTeamID)
	}
	q := Request{
		Kind: kinds[i.Type], ID: identity(i.TriggerID, payload), At: at, View: view, Message: decodeMessage(i.Message),
		Team: whose.ours(), User: i.User.ID,
		Channel: cmp.Or(i.Channel.ID, string(i.Container.ChannelID)), ChannelName: i.Channel.Name,
		MessageTS: string(cmp.Or(i.Container.MessageTS, i.MessageTS)), Thread: string(i.Container.ThreadTS),
		TriggerID: i.TriggerID, ResponseURL: i.ResponseURL,
	}
	if m := q.Message; m != nil {
		q.MessageTS = cmp.Or(q.MessageTS, m.Timestamp)
		q.Thread = cmp.Or(q.Thread, m.ThreadTimestamp)
	}
	return q, nil
}

func (i interaction) actions(q Request) ([]Request, error) {
	if len(i.Actions) == 0 {
		return nil, fmt.Errorf("%w: no actions", ErrMalformed)
	}
	all := make([]Request, len(i.Actions))
	for n, a := range i.Actions {
		all[n] = q
		all[n].Name, all[n].BlockID, all[n].Value, all[n].ActionTS = a.ActionID, a.BlockID, a.value(), string(a.ActionTS)
		if n > 0 {
			all[n].ID = q.ID + "#" + strconv.Itoa(n)
		}
	}
	return all, nil
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
	if len(i.ResponseURLs) > 0 {
		q.ResponseURL, q.Channel = i.ResponseURLs[0].ResponseURL, i.ResponseURLs[0].ChannelID
	}
	return []Request{q}, nil
}

// decodeView decodes a view of ours. What is odd in it costs only itself: what the person
// typed matters.
func decodeView(raw json.RawMessage) (*slack.View, error) {
	if absent(raw) {
		return nil, nil
	}
	var v slack.View
	if err := Decode(raw, &v); err != nil {
		return nil, fmt.Errorf("%w: view: %w", ErrMalformed, err)
	}
	return &v, nil
}

// decodeMessage decodes anybody's message, at worst without what is odd in it: its text,
// files and timestamps matter.
func decodeMessage(raw json.RawMessage) *slack.Message {
	if absent(raw) {
		return nil
	}
	var m slack.Message
	_ = Decode(raw, &m) // a message that is none is an empty one
	return &m
}

func absent(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }
