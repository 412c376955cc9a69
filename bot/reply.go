package bot

import (
	"bytes"
	"encoding/json"

	"github.com/slack-go/slack"
)

// Reply is the answer to a request, sent back on the connection it came by.
type Reply struct {
	Body any // marshalled as JSON; nil = an empty 200

	// Again asks Slack to deliver the request once more; only events can be.
	Again bool
}

// encoded is a body that is the same each time, encoded once.
type encoded struct {
	body any
	json json.RawMessage
}

// MarshalJSON gives what was encoded.
func (e encoded) MarshalJSON() ([]byte, error) { return e.json, nil }

// Encoded is a reply that is encoded now, for one that is given often. A body that cannot be is
// left as it is: then it fails when it is given.
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

// encode is the body as it is sent.
func (r Reply) encode() ([]byte, error) {
	if once, is := r.Body.(encoded); is {
		return once.json, nil
	}
	return json.Marshal(r.Body)
}

// Ack is the empty answer: seen. For a submitted modal it closes the view.
func Ack() Reply { return Reply{} }

// Errors keeps a submitted modal open and shows each sentence under the input block
// of that id. Blocks that are not input blocks show only a general failure.
func Errors(byBlock map[string]string) Reply {
	return Reply{Body: slack.NewErrorsViewSubmissionResponse(byBlock)}
}

// Update replaces a submitted modal with v.
func Update(v slack.ModalViewRequest) Reply {
	return Reply{Body: slack.NewUpdateViewSubmissionResponse(&v)}
}

// Ephemeral answers a command with a message only that person sees.
func Ephemeral(text string, blocks ...slack.Block) Reply {
	return Reply{Body: ephemeral{ResponseType: slack.ResponseTypeEphemeral, Text: text, Blocks: blocks}}
}

// Suggest answers an options request; at most 100 options.
func Suggest(options ...*slack.OptionBlockObject) Reply {
	if options == nil {
		options = []*slack.OptionBlockObject{}
	}
	return Reply{Body: suggestions{Options: options}}
}

// suggestions is not slack.OptionsResponse: that leaves an empty list out.
type suggestions struct {
	Options []*slack.OptionBlockObject `json:"options"`
}

type ephemeral struct {
	ResponseType string        `json:"response_type"`
	Text         string        `json:"text"`
	Blocks       []slack.Block `json:"blocks,omitempty"`
}
