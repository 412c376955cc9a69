package bot

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"darkroom/bot/lenient"
)

// ErrUnknownType is the error of a well-formed payload of a type that this package does not route. Answer
// it with 200, otherwise Slack sends it again.
var ErrUnknownType = errors.New("unknown type of payload")

// slashCommand has the used fields of a slash command.
type slashCommand struct {
	Command      string        `json:"command"`
	Text         string        `json:"text"`
	TriggerID    string        `json:"trigger_id"`
	ResponseURL  string        `json:"response_url"`
	UserID       string        `json:"user_id"`
	TeamID       string        `json:"team_id"`
	ChannelID    string        `json:"channel_id"`
	ChannelName  string        `json:"channel_name"`
	EnterpriseID string        `json:"enterprise_id"`
	OrgWide      lenient.Truth `json:"is_enterprise_install"`
}

// DecodeCommand decodes a slash command from a JSON object of its fields. at is when Slack sent it.
func DecodeCommand(payload []byte, at time.Time) (Request, error) {
	var l slashCommand
	if err := lenient.DecodeNarrow(payload, &l, lenient.MaxDepth); err != nil {
		return Request{}, err
	}
	return l.request(at)
}

func (l *slashCommand) request(at time.Time) (Request, error) {
	if l.Command == "" || l.UserID == "" {
		return Request{}, fmt.Errorf("%w: no command or no user", lenient.ErrMalformed)
	}
	verb, args := split(l.Text)
	return Request{
		Kind: KindCommand, ID: l.identity(), Name: l.Command, At: at,
		Verb: verb, Args: args, Text: l.Text,
		Team: workspace(l.TeamID), Enterprise: l.EnterpriseID, OrgWide: bool(l.OrgWide), User: l.UserID, Channel: l.ChannelID, ChannelName: l.ChannelName,
		TriggerID: l.TriggerID, ResponseURL: l.ResponseURL,
	}, nil
}

// identity is the trigger id, or else a digest of the command's fields.
func (l *slashCommand) identity() string {
	if l.TriggerID != "" {
		return l.TriggerID
	}
	return identity("", fmt.Appendf(nil, "%q", [...]string{
		l.Command, l.Text, l.TriggerID, l.ResponseURL, l.UserID, l.TeamID, l.ChannelID, l.ChannelName,
	}))
}

// split returns a line's first word in lower case, and the rest.
func split(text string) (verb, args string) {
	text = strings.TrimSpace(text)
	end := strings.IndexFunc(text, unicode.IsSpace)
	if end < 0 {
		end = len(text)
	}
	return strings.ToLower(text[:end]), strings.TrimSpace(text[end:])
}

// envelope is the outer object of an Events API payload.
type envelope struct {
	Type           string          `json:"type"`
	Challenge      string          `json:"challenge"`
	TeamID         lenient.String  `json:"team_id"`       // of the channel's host; for the installation's team see [envelope.owner]
	Enterprise     lenient.String  `json:"enterprise_id"` // of the channel's host
	Authorizations []authorization `json:"authorizations"`
	EventID        lenient.String  `json:"event_id"`
	EventTime      lenient.Count   `json:"event_time"`

	ContextTeam       lenient.String `json:"context_team_id"` // the installed workspace that received the event
	ContextEnterprise lenient.String `json:"context_enterprise_id"`

	Event json.RawMessage `json:"event"` // the inner event, undecoded
}

// authorization is an installation that receives the event.
type authorization struct {
	Team       lenient.String `json:"team_id"`
	Enterprise lenient.String `json:"enterprise_id"`
	OrgWide    lenient.Truth  `json:"is_enterprise_install"`
}

// authorized returns the event's first authorization.
func (e *envelope) authorized() (a authorization) {
	if len(e.Authorizations) > 0 {
		a = e.Authorizations[0]
	}
	return a
}

// innerEvent has the fields that most events share. Events differ in the names of user and channel.
type innerEvent struct {
	Type      string         `json:"type"`
	User      lenient.String `json:"user"`
	UserID    lenient.String `json:"user_id"`
	Channel   lenient.String `json:"channel"`
	ChannelID lenient.String `json:"channel_id"`
	TS        lenient.String `json:"ts"`
	ThreadTS  lenient.String `json:"thread_ts"`
	Text      lenient.String `json:"text"`
}

// DecodeEvent decodes an Events API payload. An outer type without an inner event, such as
// app_rate_limited, becomes an event of that name. at is the time of an event that has no time of its own.
func DecodeEvent(payload []byte, at time.Time) (Request, error) {
	var e envelope
	if err := lenient.DecodeNarrow(payload, &e, lenient.MaxDepth); err != nil {
		return Request{}, err
	}
	return e.request(payload, at)
}

func (e *envelope) request(payload []byte, at time.Time) (Request, error) {
	team, enterprise := e.owner()
	q := Request{
		Kind: KindEvent, ID: identity(string(e.EventID), payload), Name: e.Type, Team: string(team), Enterprise: string(enterprise),
		OrgWide: bool(e.authorized().OrgWide), Certain: e.certain(), At: at,
	}
	switch e.Type {
	case "":
		return Request{}, fmt.Errorf("%w: an event without type", lenient.ErrMalformed)
	case typeURLVerification:
		return Request{}, fmt.Errorf("%w: %s", ErrUnknownType, e.Type)
	case typeEventCallback:
	default:
		q.Event = bytes.Clone(payload)
		return q, nil
	}
	if e.EventTime > 0 {
		q.At = time.Unix(int64(e.EventTime), 0)
	}
	var in innerEvent
	if lenient.Read(e.Event, &in) != nil || in.Type == "" {
		return Request{}, fmt.Errorf("%w: no inner event", lenient.ErrMalformed)
	}
	q.Name, q.Event = in.Type, e.Event
	q.User, q.Channel = string(cmp.Or(in.User, in.UserID)), string(cmp.Or(in.Channel, in.ChannelID))
	q.MessageTS, q.Thread, q.Text = string(in.TS), string(in.ThreadTS), string(in.Text)
	return q, nil
}

// identity returns the natural identity, or else a digest of the payload. Both are the same on every
// replay.
func identity(natural string, payload []byte) string {
	if natural != "" {
		return natural
	}
	sum := sha256.Sum256(payload)
	return "sha256:" + hex.EncodeToString(sum[:16])
}
