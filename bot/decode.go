package bot

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"
	"unicode"

	"github.com/slack-go/slack"
)

// What is wrong with a payload, for errors.Is.
var (
	// ErrMalformed: a payload that is none of Slack's.
	ErrMalformed = errors.New("malformed payload")
	// ErrUnknownType: a well-formed payload of a type this package does not route. It
	// deserves a 200: Slack would only send it again.
	ErrUnknownType = errors.New("unknown type of payload")
)

// maxDepth bounds the nesting of a payload: blocks decode themselves level by level,
// so that depth costs more than length.
const maxDepth = 100

// DecodeCommand decodes a slash command given as a JSON object of its fields; at is
// when it was sent.
func DecodeCommand(payload []byte, at time.Time) (Request, error) {
	var c slack.SlashCommand
	if err := decodeJSON(payload, &c); err != nil {
		return Request{}, err
	}
	if c.Command == "" || c.UserID == "" {
		return Request{}, fmt.Errorf("%w: no command or no user", ErrMalformed)
	}
	verb, args := split(c.Text)
	return Request{
		Kind: KindCommand, ID: identity(c.TriggerID, payload), Name: c.Command, At: at,
		Verb: verb, Args: args, Text: c.Text,
		Team: c.TeamID, User: c.UserID, Channel: c.ChannelID, ChannelName: c.ChannelName,
		TriggerID: c.TriggerID, ResponseURL: c.ResponseURL,
	}, nil
}

// decodeForm decodes a slash command given as form fields.
func decodeForm(form url.Values, at time.Time) (Request, error) {
	fields := map[string]string{}
	for name := range form {
		fields[name] = form.Get(name)
	}
	payload, err := json.Marshal(fields) // without broken bytes: a job is JSON, too
	if err != nil {
		return Request{}, err
	}
	return DecodeCommand(payload, at)
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
	Type      string          `json:"type"`
	Challenge string          `json:"challenge"`
	TeamID    flexString      `json:"team_id"` // of the channel's host; ours: see [ours]
	EventID   flexString      `json:"event_id"`
	EventTime count           `json:"event_time"`
	Event     json.RawMessage `json:"event"`

	Authorizations []struct {
		TeamID flexString `json:"team_id"`
	} `json:"authorizations"`
}

// ours is the workspace for whose installation the event is.
func (e envelope) ours() string {
	var authorized flexString
	if len(e.Authorizations) > 0 {
		authorized = e.Authorizations[0].TeamID
	}
	return ours(string(authorized), string(e.TeamID), "")
}

// inner holds what most events have, under the names they have it by.
type inner struct {
	Type      string     `json:"type"`
	User      flexString `json:"user"`
	UserID    flexString `json:"user_id"`
	Channel   flexString `json:"channel"`
	ChannelID flexString `json:"channel_id"`
	TS        flexString `json:"ts"`
	ThreadTS  flexString `json:"thread_ts"`
	Text      flexString `json:"text"`
}

// DecodeEvent decodes what the Events API sends, in its outer form. An outer type
// without an inner event (app_rate_limited) becomes an event of that name. at is used
// when Slack does not tell when it happened.
func DecodeEvent(payload []byte, at time.Time) (Request, error) {
	var e envelope
	if err := decodeJSON(payload, &e); err != nil {
		return Request{}, err
	}
	return e.request(payload, at)
}

func (e envelope) request(payload []byte, at time.Time) (Request, error) {
	switch e.Type {
	case "":
		return Request{}, fmt.Errorf("%w: an event without type", ErrMalformed)
	case typeURLVerification:
		return Request{}, fmt.Errorf("%w: %s", ErrUnknownType, e.Type)
	case typeEventCallback:
	default:
		return Request{Kind: KindEvent, ID: identity(string(e.EventID), payload), Name: e.Type, Team: e.ours(), Event: payload, At: at}, nil
	}
	if e.EventTime > 0 {
		at = time.Unix(int64(e.EventTime), 0)
	}
	var in inner
	if err := Decode(e.Event, &in); err != nil || in.Type == "" {
		return Request{}, fmt.Errorf("%w: no inner event", ErrMalformed)
	}
	return Request{
		Kind: KindEvent, ID: identity(string(e.EventID), payload), Name: in.Type, Team: e.ours(),
		User: string(cmp.Or(in.User, in.UserID)), Channel: string(cmp.Or(in.Channel, in.ChannelID)),
		MessageTS: string(in.TS), Thread: string(in.ThreadTS), Text: string(in.Text),
		Event: e.Event, At: at,
	}, nil
}

// flexString is a string where Slack sometimes sends an object with an id (the user of
// team_join, the channel of channel_created). Anything else is nothing.
type flexString string

func (l *flexString) UnmarshalJSON(b []byte) error {
	var s string
	var o struct{ ID string }
	if json.Unmarshal(b, &s) == nil {
		*l = flexString(s)
	} else if json.Unmarshal(b, &o) == nil {
		*l = flexString(o.ID)
	}
	return nil
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

func decodeJSON(payload []byte, into any) error {
	if depth(payload) > maxDepth {
		return fmt.Errorf("%w: nested deeper than %d", ErrMalformed, maxDepth)
	}
	if err := Decode(payload, into); err != nil {
		return fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	return nil
}

// depth counts how deep objects and arrays are nested, in one pass and without
// believing that the payload is JSON.
func depth(payload []byte) int {
	deepest, level, quoted, escaped := 0, 0, false, false
	for _, b := range payload {
		switch {
		case escaped:
			escaped = false
		case quoted:
			escaped, quoted = b == '\\', b != '"'
		case b == '"':
			quoted = true
		case b == '{' || b == '[':
			level++
			deepest = max(deepest, level)
		case b == '}' || b == ']':
			level--
		}
	}
	return deepest
}
