package bot

import (
	"bytes"
	"encoding/json"

	"github.com/slack-go/slack"
)

// Reply is the answer to a request. It goes back on the same connection.
type Reply struct {
	Body any // encoded as JSON; nil: an empty 200

	// Again asks Slack to deliver the request once more. Slack does so only for events.
	Again bool
}

// encoded is a constant body, encoded once.
type encoded struct {
	body any
	json json.RawMessage
}

// MarshalJSON returns the encoded body.
func (e encoded) MarshalJSON() ([]byte, error) { return e.json, nil }

// Encoded returns the reply with its body encoded now, for a reply that is sent often. If encoding fails,
// the reply stays as it is and fails when it is sent.
func (r Reply) Encoded() Reply {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if r.Body == nil || e.Encode(r.Body) != nil {
		return r
	}
	r.Body = encoded{r.Body, bytes.TrimSpace(out.Bytes())}
	return r
}

// encode returns the body as JSON.
func (r Reply) encode() ([]byte, error) {
	if once, is := r.Body.(encoded); is {
		return once.json, nil
	}
	return json.Marshal(r.Body)
}

// Ack is the empty answer. It closes a submitted modal.
func Ack() Reply { return Reply{} }

// Errors keeps a submitted modal open and shows each sentence under the input block with that id. For a
// block that is not an input, Slack shows a general error.
func Errors(byBlock map[string]string) Reply {
	return Reply{Body: slack.NewErrorsViewSubmissionResponse(byBlock)}
}

// Update replaces a submitted modal with v.
func Update(v slack.ModalViewRequest) Reply {
	return Reply{Body: slack.NewUpdateViewSubmissionResponse(&v)}
}

// Ephemeral answers a command with a message that only that person sees.
func Ephemeral(text string, blocks ...slack.Block) Reply {
	return Reply{Body: ephemeral{ResponseType: slack.ResponseTypeEphemeral, Text: text, Blocks: blocks}}
}

// Suggest answers an options request with at most 100 options.
func Suggest(options ...*slack.OptionBlockObject) Reply {
	if options == nil {
		options = []*slack.OptionBlockObject{}
	}
	return Reply{Body: suggestions{Options: options}}
}

// suggestions replaces slack.OptionsResponse, which leaves out an empty list.
type suggestions struct {
	Options []*slack.OptionBlockObject `json:"options"`
}

type ephemeral struct {
	ResponseType string        `json:"response_type"`
	Text         string        `json:"text"`
	Blocks       []slack.Block `json:"blocks,omitempty"`
}
