package kit

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/slack-go/slack"
)

// Callback ids of an order's forms. Their text is saved while it is typed, because Slack may not report the
// text of a closed form.
const (
	CallbackApprove   = "approve"
	CallbackRevise    = "revise"
	CallbackCancel    = "cancel"
	CallbackMessage   = "message"
	CallbackReference = "reference"
)

// Fields that hold the text of these forms.
const (
	FieldFeedback = "feedback"
	FieldReason   = "reason"
	FieldMessage  = "message"
)

// Action ids of saved text.
const (
	ActionClear = "words:anew" // empties a form that opened with saved text
	ActionTyped = "typed:"     // begins the action id of each input whose text is saved while typed
)

// savedForms maps forms with saved text to their text field. The revise form has several fields; the reference
// form also has images.
var savedForms = map[string]string{
	CallbackApprove: FieldFeedback, CallbackCancel: FieldReason, CallbackMessage: FieldMessage, CallbackRevise: "", CallbackReference: "",
}

// SavedForms returns the callback ids of the forms whose text is saved.
func SavedForms() []string { return slices.Sorted(maps.Keys(savedForms)) }

// SaveOnClose makes a form report that it was closed, and says that closing saves what is typed.
func SaveOnClose(v *slack.ModalViewRequest) {
	v.NotifyOnClose, v.Close = true, PlainText("Save and Close")
}

// SavedInputs makes each text input of a form report what is typed.
func SavedInputs(v slack.ModalViewRequest) slack.ModalViewRequest {
	SaveOnClose(&v)
	for _, block := range v.Blocks.BlockSet {
		input, ok := block.(*slack.InputBlock)
		if !ok {
			continue
		}
		if box, ok := input.Element.(*slack.PlainTextInputBlockElement); ok {
			box.ActionID = ActionTyped + strings.TrimPrefix(box.ActionID, ActionTyped)
			live(input, box)
		}
	}
	return v
}

// TypedText returns the text of a form with one text field.
func TypedText(view slack.View) string {
	return strings.TrimSpace(TextOf(view, savedForms[view.CallbackID]))
}

// WithSaved adds a note that the form opened with saved text, and a button that clears it.
func WithSaved(v slack.ModalViewRequest, at time.Time) slack.ModalViewRequest {
	says := Mrkdwn("Filled in with your text from " + When(at) + ".")
	note := slack.NewSectionBlock(says, nil, slack.NewAccessory(Button("Clear Text", ActionClear, "anew")), slack.SectionBlockOptionBlockID("kept"))
	v.Blocks.BlockSet = append([]slack.Block{note}, v.Blocks.BlockSet...)
	return v
}

// WithNewIDs changes the form's block ids, because Slack keeps text and ticks by block id. gen must differ each time.
func WithNewIDs(v slack.ModalViewRequest, gen string) slack.ModalViewRequest {
	for _, block := range v.Blocks.BlockSet {
		switch b := block.(type) {
		case *slack.InputBlock:
			b.BlockID = newID(b.BlockID, gen)
		case *slack.ActionBlock:
			b.BlockID = newID(b.BlockID, gen)
		}
	}
	return v
}

func newID(id, gen string) string {
	field, rest, numbered := strings.Cut(id, ":")
	if !numbered {
		return id
	}
	attempt, part, more := strings.Cut(rest, ":")
	return field + ":" + attempt + "." + gen + OnlyIf(more, ":"+part)
}
