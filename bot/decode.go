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

// ErrUnknownType is the error of a well-formed payload whose type this package does not route. Answer it with
// 200, or Slack sends it again.
var ErrUnknownType = errors.New("unknown type of payload")

// line is a slash command as far as it is used.
type line struct {
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

// DecodeCommand decodes a slash command given as a JSON object of its fields; at is
// when it was sent.
func DecodeCommand(payload []byte, at time.Time) (Request, error) {
	var l line
	if err := lenient.DecodeNarrow(payload, &l, lenient.MaxDepth); err != nil {
		return Request{}, err
	}
	return l.request(at)
}

func (l *line) request(at time.Time) (Request, error) {
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

// identity is the line's natural one; one without is known by its fields.
func (l *line) identity() string {
	if l.TriggerID != "" {
		return l.TriggerID
	}
	return identity("", fmt.Appendf(nil, "%q", [...]string{
		l.Command, l.Text, l.TriggerID, l.ResponseURL, l.UserID, l.TeamID, l.ChannelID, l.ChannelName,
	}))
}

// split parts the first word of a line, in lower case, from the rest.
func split(text string) (verb, args string) {
	text = strings.TrimSpace(text)
	end := strings.IndexFunc(text, unicode.IsSpace)
	if end < 0 {
		end = len(text)
	}
	return strings.ToLower(text[:end]), strings.TrimSpace(text[end:])
}

// envelope is the outer part of what the Events API sends.
type envelope struct {
	Type           string          `json:"type"`
	Challenge      string          `json:"challenge"`
	TeamID         lenient.String  `json:"team_id"`       // of the channel's host; ours: see [envelope.whose]
	Enterprise     lenient.String  `json:"enterprise_id"` // of the same
	Authorizations []authorization `json:"authorizations"`
	EventID        lenient.String  `json:"event_id"`
	EventTime      lenient.Count   `json:"event_time"`

	ContextTeam       lenient.String `json:"context_team_id"` // that of ours by which the app hears of it
	ContextEnterprise lenient.String `json:"context_enterprise_id"`

	Event json.RawMessage `json:"event"` // the inner event as it came
}

// authorization is an installation that an event is for.
type authorization struct {
	Team       lenient.String `json:"team_id"`
	Enterprise lenient.String `json:"enterprise_id"`
	OrgWide    lenient.Truth  `json:"is_enterprise_install"`
}

// authorized is the first of an event's authorizations.
func (e *envelope) authorized() (a authorization) {
	if len(e.Authorizations) > 0 {
		a = e.Authorizations[0]
	}
	return a
}

// inner holds what most events have, under the names they have it by.
type inner struct {
	Type      string         `json:"type"`
	User      lenient.String `json:"user"`
	UserID    lenient.String `json:"user_id"`
	Channel   lenient.String `json:"channel"`
	ChannelID lenient.String `json:"channel_id"`
	TS        lenient.String `json:"ts"`
	ThreadTS  lenient.String `json:"thread_ts"`
	Text      lenient.String `json:"text"`
}

// DecodeEvent decodes what the Events API sends, in its outer form. An outer type
// without an inner event (app_rate_limited) becomes an event of that name. at is used
// when Slack does not tell when it happened.
func DecodeEvent(payload []byte, at time.Time) (Request, error) {
	var e envelope
	if err := lenient.DecodeNarrow(payload, &e, lenient.MaxDepth); err != nil {
		return Request{}, err
	}
	return e.request(payload, at)
}

func (e *envelope) request(payload []byte, at time.Time) (Request, error) {
	team, enterprise := e.whose()
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
	var in inner
	if lenient.Read(e.Event, &in) != nil || in.Type == "" {
		return Request{}, fmt.Errorf("%w: no inner event", lenient.ErrMalformed)
	}
	q.Name, q.Event = in.Type, e.Event
	q.User, q.Channel = string(cmp.Or(in.User, in.UserID)), string(cmp.Or(in.Channel, in.ChannelID))
	q.MessageTS, q.Thread, q.Text = string(in.TS), string(in.ThreadTS), string(in.Text)
	return q, nil
}

// identity is the natural one, else a digest of the payload: both are the same on
// every replay.
func identity(natural string, payload []byte) string {
	if natural != "" {
		return natural
	}
	sum := sha256.Sum256(payload)
	return "sha256:" + hex.EncodeToString(sum[:16])
}
