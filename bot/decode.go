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
)

// What is wrong with a payload, for errors.Is.
var (
	// ErrMalformed: a payload that is none of Slack's.
	ErrMalformed = errors.New("malformed payload")
	// ErrUnknownType: a well-formed payload of a type this package does not route. It
	// deserves a 200: Slack would only send it again.
	ErrUnknownType = errors.New("unknown type of payload")
)

// line is a slash command as far as it is used.
type line struct {
	Command, Text, TriggerID, ResponseURL  string
	UserID, TeamID, ChannelID, ChannelName string
	EnterpriseID                           string
	OrgWide                                bool
}

// field is where a field of that name belongs, nil for one that is not used.
func (l *line) field(name []byte) *string {
	switch string(name) {
	case "command":
		return &l.Command
	case "text":
		return &l.Text
	case "trigger_id":
		return &l.TriggerID
	case "response_url":
		return &l.ResponseURL
	case "user_id":
		return &l.UserID
	case "team_id":
		return &l.TeamID
	case "channel_id":
		return &l.ChannelID
	case "channel_name":
		return &l.ChannelName
	case "enterprise_id":
		return &l.EnterpriseID
	}
	return nil
}

// orgWideField says by which kind of installation something came: a boolean, which is text in some places.
const orgWideField = "is_enterprise_install"

// DecodeCommand decodes a slash command given as a JSON object of its fields; at is
// when it was sent.
func DecodeCommand(payload []byte, at time.Time) (Request, error) {
	l, err := readLine(payload)
	if err != nil {
		return Request{}, err
	}
	return l.request(at)
}

func readLine(payload []byte) (l line, err error) {
	err = readObject(payload, maxDepth, func(r *reader, name []byte) {
		if string(name) == orgWideField {
			l.OrgWide = r.truth()
		} else if at := l.field(name); at != nil {
			*at = r.text()
		}
	})
	return l, err
}

func (l *line) request(at time.Time) (Request, error) {
	if l.Command == "" || l.UserID == "" {
		return Request{}, fmt.Errorf("%w: no command or no user", ErrMalformed)
	}
	verb, args := split(l.Text)
	return Request{
		Kind: KindCommand, ID: l.identity(), Name: l.Command, At: at,
		Verb: verb, Args: args, Text: l.Text,
		Team: workspace(l.TeamID), Enterprise: l.EnterpriseID, OrgWide: l.OrgWide, User: l.UserID, Channel: l.ChannelID, ChannelName: l.ChannelName,
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
	Type       string
	Challenge  string
	TeamID     string // of the channel's host; ours: see [envelope.whose]
	Enterprise string // of the same
	Authorized authorization
	EventID    string
	EventTime  count

	ContextTeam       string // that of ours by which the app hears of it
	ContextEnterprise string

	Inner inner
	Event json.RawMessage // the inner event as it came, nil = there is none
}

// authorization is the first of an event's: an installation that it is for.
type authorization struct {
	Team, Enterprise string
	OrgWide          bool
}

// inner holds what most events have, under the names they have it by.
type inner struct {
	Type, User, UserID, Channel, ChannelID, TS, ThreadTS, Text string
}

// DecodeEvent decodes what the Events API sends, in its outer form. An outer type
// without an inner event (app_rate_limited) becomes an event of that name. at is used
// when Slack does not tell when it happened.
func DecodeEvent(payload []byte, at time.Time) (Request, error) {
	e, err := readEnvelope(payload)
	if err != nil {
		return Request{}, err
	}
	return e.request(payload, at)
}

func readEnvelope(payload []byte) (e envelope, err error) {
	err = readObject(payload, maxDepth, e.field)
	return e, err
}

func (e *envelope) field(r *reader, name []byte) {
	switch string(name) {
	case "type":
		e.Type = r.text()
	case "challenge":
		e.Challenge = r.text()
	case "team_id":
		e.TeamID = r.textOrID()
	case "event_id":
		e.EventID = r.textOrID()
	case "event_time":
		e.EventTime = r.whole()
	case "enterprise_id":
		e.Enterprise = r.textOrID()
	case "context_team_id":
		e.ContextTeam = r.textOrID()
	case "context_enterprise_id":
		e.ContextEnterprise = r.textOrID()
	case "authorizations":
		e.Authorized = r.authorized()
	case "event":
		e.Inner, e.Event = r.event()
	}
}

// authorized reads the first of the authorizations.
func (r *reader) authorized() (a authorization) {
	n := 0
	r.list(func() {
		if n++; n > 1 {
			return
		}
		r.object(func(name []byte) {
			switch string(name) {
			case "team_id":
				a.Team = r.textOrID()
			case "enterprise_id":
				a.Enterprise = r.textOrID()
			case orgWideField:
				a.OrgWide = r.truth()
			}
		})
	})
	return a
}

// event reads an inner event, and keeps it as it came for whoever knows its kind.
func (r *reader) event() (in inner, whole json.RawMessage) {
	from := r.at
	if !r.object(func(name []byte) {
		if string(name) == "type" {
			in.Type = r.text()
		} else if at := in.field(name); at != nil {
			*at = r.textOrID()
		}
	}) {
		return inner{}, nil
	}
	return in, bytes.Clone(r.since(from))
}

func (in *inner) field(name []byte) *string {
	switch string(name) {
	case "user":
		return &in.User
	case "user_id":
		return &in.UserID
	case "channel":
		return &in.Channel
	case "channel_id":
		return &in.ChannelID
	case "ts":
		return &in.TS
	case "thread_ts":
		return &in.ThreadTS
	case "text":
		return &in.Text
	}
	return nil
}

func (e *envelope) request(payload []byte, at time.Time) (Request, error) {
	team, enterprise := e.whose()
	switch e.Type {
	case "":
		return Request{}, fmt.Errorf("%w: an event without type", ErrMalformed)
	case typeURLVerification:
		return Request{}, fmt.Errorf("%w: %s", ErrUnknownType, e.Type)
	case typeEventCallback:
	default:
		return Request{Kind: KindEvent, ID: identity(e.EventID, payload), Name: e.Type, Team: team, Enterprise: enterprise, OrgWide: e.Authorized.OrgWide, Certain: e.certain(), Event: bytes.Clone(payload), At: at}, nil
	}
	if e.EventTime > 0 {
		at = time.Unix(int64(e.EventTime), 0)
	}
	in := e.Inner
	if in.Type == "" {
		return Request{}, fmt.Errorf("%w: no inner event", ErrMalformed)
	}
	return Request{
		Kind: KindEvent, ID: identity(e.EventID, payload), Name: in.Type, Team: team, Enterprise: enterprise, OrgWide: e.Authorized.OrgWide, Certain: e.certain(),
		User: cmp.Or(in.User, in.UserID), Channel: cmp.Or(in.Channel, in.ChannelID),
		MessageTS: in.TS, Thread: in.ThreadTS, Text: in.Text,
		Event: e.Event, At: at,
	}, nil
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
