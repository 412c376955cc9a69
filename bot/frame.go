package bot

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/slack-go/slack"

	"darkroom/bot/lenient"
)

// The types of frames that are not envelopes.
const (
	frameHello      = "hello"
	frameDisconnect = "disconnect"
)

// frame is one message of a socket: hello, disconnect, or an envelope.
type frame struct {
	Type string `json:"type"`

	ID      string         `json:"envelope_id"`
	Payload jsontext.Value `json:"payload"`
	Accepts bool           `json:"accepts_response_payload"` // Slack accepts an answer

	Reason         string        `json:"reason"`
	NumConnections lenient.Count `json:"num_connections"`
	Debug          struct {
		Seconds lenient.Count `json:"approximate_connection_time"` // expected lifetime of the connection
	} `json:"debug_info"`
}

// decodeFrame decodes a frame. A malformed field that is not needed does not lose the envelope.
func decodeFrame(data []byte) (frame, error) {
	var f frame
	err := lenient.DecodeNarrow(data, &f, lenient.MaxDepth)
	bare := f.Type == frameHello || f.Type == frameDisconnect
	if err == nil && !bare && (f.Type == "" || f.ID == "") {
		err = fmt.Errorf("%w: an envelope without type or id", lenient.ErrMalformed)
	}
	return f, err
}

// requests decodes an envelope.
func (f frame) requests(at time.Time) ([]Request, error) {
	switch f.Type {
	case "interactive":
		return DecodeInteraction(f.Payload, at)
	case "slash_commands":
		return single(DecodeCommand(f.Payload, at))
	case "events_api":
		return single(DecodeEvent(f.Payload, at))
	}
	return nil, fmt.Errorf("%w: envelope %.60q", ErrUnknownType, f.Type)
}

// single wraps the one request of a delivery in a list.
func single(q Request, err error) ([]Request, error) { return []Request{q}, err }

// answer lets the router handle an envelope and returns the acknowledgement, or nil for none. Without one,
// Slack delivers an event again and shows an error for a click or form. The error is for the log, with or
// without an acknowledgement.
func (f frame) answer(ctx context.Context, router *Router, at time.Time) ([]byte, error) {
	requests, err := f.requests(at)
	if err != nil {
		if errors.Is(err, ErrUnknownType) || f.Type == "events_api" {
			ack, wrong := f.ack(Ack()) // a repeat would fail the same way
			return ack, errors.Join(err, wrong)
		}
		return nil, err
	}
	reply := router.handleAll(ctx, requests, time.Now())
	if reply.Again {
		return nil, nil
	}
	return f.ack(reply)
}

// maxAck is the size of a frame that Slack drops silently, or that makes it close the connection.
const maxAck = 20480

var errTooLarge = errors.New("too large for socket mode: answer with less, and show the rest by a call")

type ack struct {
	ID      string `json:"envelope_id"`
	Payload any    `json:"payload,omitempty"`
}

// ack encodes an acknowledgement that Slack accepts. An answer that is too large is cut, or else left out.
// The handler should answer with less and show the rest by a call.
func (f frame) ack(reply Reply) ([]byte, error) {
	var problem error
	if reply.Body != nil && !f.Accepts {
		problem = fmt.Errorf("an answer where Slack takes none: %T", reply.Body)
		reply.Body = nil
	}
	for _, payload := range cuts(reply.Body) {
		data, err := f.write(payload)
		if !errors.Is(err, errTooLarge) {
			return data, errors.Join(problem, err)
		}
		problem = fmt.Errorf("%T: %w", reply.Body, err)
	}
	return nil, problem
}

func (f frame) write(payload any) ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false) // an escaped bracket of Slack's markup takes six bytes
	if err := e.Encode(ack{f.ID, payload}); err != nil {
		return nil, err
	}
	data := bytes.TrimSpace(out.Bytes())
	if len(data) >= maxAck {
		return nil, fmt.Errorf("%w: %d bytes", errTooLarge, len(data))
	}
	return data, nil
}

// cuts returns an answer and its shorter versions: the largest first, nil last.
func cuts(body any) []any {
	all := []any{body}
	if once, is := body.(encoded); is {
		body = once.body
	}
	switch b := body.(type) {
	case suggestions:
		for n := range slices.Backward(b.Options) {
			all = append(all, suggestions{b.Options[:n]})
		}
	case ephemeral: // its text is its plain version
		all = append(all, ephemeral{b.ResponseType, b.Text, nil})
	case *slack.ViewSubmissionResponse:
		blocks, rest := slices.Sorted(maps.Keys(b.Errors)), b.Errors
		for n := len(blocks) - 1; n > 0; n-- { // at least one error must stay
			rest = maps.Clone(rest)
			delete(rest, blocks[n])
			all = append(all, slack.NewErrorsViewSubmissionResponse(rest))
		}
	}
	return append(all, nil)
}
