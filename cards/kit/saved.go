package kit

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/slack-go/slack"
)

// The forms of an order whose text is saved while it is typed: Slack does not promise to tell what a
// form held when it was closed.
const (
	CallbackApprove   = "approve"
	CallbackRevise    = "revise"
	CallbackCancel    = "cancel"
	CallbackMessage   = "message"
	CallbackReference = "reference"
)

// The fields that hold the text of such a form, where it is one.
const (
	FieldFeedback = "feedback"
	FieldReason   = "reason"
	FieldMessage  = "message"
)

// Action ids of saved text.
const (
	ActionAnew  = "words:anew" // empties a form that was opened with saved text
	ActionTyped = "typed:"     // begins the action id of every input whose text is saved while it is typed
)

// savedForms maps the forms whose text is saved to the field that has it. The revise form has
// several fields; the form for reference images has images, too.
var savedForms = map[string]string{
	CallbackApprove: FieldFeedback, CallbackCancel: FieldReason, CallbackMessage: FieldMessage, CallbackRevise: "", CallbackReference: "",
}

// SavedForms are the callback ids of the forms whose text is saved.
func SavedForms() []string { return slices.Sorted(maps.Keys(savedForms)) }

// SavedInputs makes each box of a form tell what is typed into it.
func SavedInputs(v slack.ModalViewRequest) slack.ModalViewRequest {
	v.NotifyOnClose = true
	for _, block := range v.Blocks.BlockSet {
		input, is := block.(*slack.InputBlock)
		if !is {
			continue
		}
		if box, is := input.Element.(*slack.PlainTextInputBlockElement); is {
			box.ActionID = ActionTyped + strings.TrimPrefix(box.ActionID, ActionTyped)
			live(input, box)
		}
	}
	return v
}

// TypedText returns the text of a form that has one field for it.
func TypedText(view slack.View) string {
	return strings.TrimSpace(TextOf(view, savedForms[view.CallbackID]))
}

// WithSaved returns a form that was opened with text saved earlier: it says so, and offers to begin
// anew.
func WithSaved(v slack.ModalViewRequest, at time.Time) slack.ModalViewRequest {
	says := Mrkdwn("Your words from " + When(at) + " are here.")
	note := slack.NewSectionBlock(says, nil, slack.NewAccessory(Button("Begin anew", ActionAnew, "anew")), slack.SectionBlockOptionBlockID("kept"))
	v.Blocks.BlockSet = append([]slack.Block{note}, v.Blocks.BlockSet...)
	return v
}

// Anew returns the form with new block ids: Slack keeps the text of a box whose id it knows. gen
// differs each time.
func Anew(v slack.ModalViewRequest, gen string) slack.ModalViewRequest {
	for _, block := range v.Blocks.BlockSet {
		if input, is := block.(*slack.InputBlock); is {
			parts := strings.SplitN(input.BlockID, ":", 3)
			parts[1] += "." + gen
			input.BlockID = strings.Join(parts, ":")
		}
	}
	return v
}
