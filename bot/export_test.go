package bot

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot/lenient"
)

// Hold makes a Socket hold n connections.
func (s *Socket) Hold(n int) { s.connections = n }

// Over sets the transport of a Socket's calls and connections.
func (s *Socket) Over(t http.RoundTripper) { s.api.HTTP().Transport = t }

// Hurry makes a Socket's waits short, except the wait for activity.
func (s *Socket) Hurry(silent time.Duration) {
	s.times = times{
		hello: 2 * time.Second, quiet: silent / 3, silent: silent, steady: 20 * time.Millisecond, slow: 100 * time.Millisecond,
		linger: 50 * time.Millisecond, drain: 5 * time.Second, closing: 300 * time.Millisecond,
		shortest: 10 * time.Millisecond, longest: 50 * time.Millisecond,
	}
}

// Verify checks a signature.
func (s *Server) Verify(ctx context.Context, h http.Header, body []byte) error {
	_, err := s.verify(ctx, h, body)
	return err
}

// The results of the narrow decoding, to compare with another decoding.
type (
	Person    = person
	Place     = channel
	Container = container
	Line      = slashCommand
	Truth     = lenient.Truth

	Interaction struct {
		Type                                                        slack.InteractionType
		CallbackID, TriggerID, ResponseURL                          string
		ActionID, BlockID, Value, MessageTS, Hash, Team, Enterprise string
		OrgWide                                                     bool
		User                                                        Person
		Channel                                                     Place
		Container                                                   Container
		View                                                        *slack.View
		ViewSummary                                                 ViewSummary
		Message                                                     *slack.Message
		Actions                                                     []slack.BlockAction
	}

	Envelope struct {
		Type, Challenge, TeamID, EventID, Enterprise, ContextTeam, ContextEnterprise string
		Authorized                                                                   Authorization
		Inner                                                                        Inner
		Event                                                                        json.RawMessage
	}
	Authorization struct {
		Team, Enterprise string
		OrgWide          bool
	}
	Inner struct{ Type, User, UserID, Channel, ChannelID, TS, ThreadTS, Text string }
)

// ReadInteraction reads an interaction.
func ReadInteraction(payload []byte) (Interaction, error) {
	var i interaction
	if err := lenient.DecodeNarrow(payload, &i, lenient.MaxDepth); err != nil {
		return Interaction{}, err
	}
	all := Interaction{
		Type: i.Type, CallbackID: i.CallbackID, TriggerID: i.TriggerID, ResponseURL: i.ResponseURL, ActionID: i.ActionID, BlockID: i.BlockID,
		Value: i.Value, MessageTS: i.MessageTS, Hash: i.Hash, Team: string(i.Team), Enterprise: string(i.Enterprise), OrgWide: bool(i.OrgWide),
		User: i.User, Channel: i.Channel, Container: i.Container, Message: i.Message.toSlack(),
	}
	all.View, all.ViewSummary = i.View.toSlack()
	for _, a := range i.Actions {
		all.Actions = append(all.Actions, a.toSlack())
	}
	return all, nil
}

// ReadEnvelope decodes an event, and its inner event if that is an object.
func ReadEnvelope(payload []byte) (Envelope, error) {
	var e envelope
	if err := lenient.DecodeNarrow(payload, &e, lenient.MaxDepth); err != nil {
		return Envelope{}, err
	}
	a := e.authorized()
	all := Envelope{
		Type: e.Type, Challenge: e.Challenge, TeamID: string(e.TeamID), EventID: string(e.EventID), Enterprise: string(e.Enterprise),
		ContextTeam: string(e.ContextTeam), ContextEnterprise: string(e.ContextEnterprise),
		Authorized: Authorization{string(a.Team), string(a.Enterprise), bool(a.OrgWide)},
	}
	var in innerEvent
	if lenient.Read(e.Event, &in) == nil {
		all.Event = e.Event
		all.Inner = Inner{in.Type, string(in.User), string(in.UserID), string(in.Channel), string(in.ChannelID), string(in.TS), string(in.ThreadTS), string(in.Text)}
	}
	return all, nil
}

// ReadLine reads a command.
func ReadLine(payload []byte) (l Line, err error) {
	err = lenient.DecodeNarrow(payload, &l, lenient.MaxDepth)
	return l, err
}

// MaxDepth bounds the nesting of a payload.
const MaxDepth = lenient.MaxDepth

// ReadStrings decodes the string values of a document by name; other values become "".
func ReadStrings(doc []byte) (map[string]string, error) {
	var all struct {
		Strings map[string]string `json:",embed"`
	}
	err := lenient.DecodeNarrow(doc, &all, lenient.MaxDepth)
	if all.Strings == nil {
		all.Strings = map[string]string{}
	}
	return all.Strings, err
}

// EachField decodes a form in place.
func EachField(form []byte, field func(name, value []byte)) error { return eachField(form, field) }
