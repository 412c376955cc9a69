package cards

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/slack-go/slack"
)

// What is typed into a form of an order is kept while it is typed, as in the order form: Slack does not
// promise to tell what a form held when it was closed.

// keptForms are the forms whose words are kept, and the field that has them. Those of the revise form
// are [Changes], those of the form for reference images come with the images.
var keptForms = map[string]string{
	CallbackApprove: fieldFeedback, CallbackCancel: fieldReason, CallbackMessage: fieldMessage, CallbackRevise: "", CallbackReference: "",
}

// KeptForms are the callback ids of the forms whose words are kept.
func KeptForms() []string { return slices.Sorted(maps.Keys(keptForms)) }

// telling makes each box of a form tell what is typed into it.
func telling(v slack.ModalViewRequest) slack.ModalViewRequest {
	v.NotifyOnClose = true
	for _, block := range v.Blocks.BlockSet {
		input, is := block.(*slack.InputBlock)
		if !is {
			continue
		}
		if box, is := input.Element.(*slack.PlainTextInputBlockElement); is {
			box.ActionID = ActionTyped + strings.TrimPrefix(box.ActionID, ActionTyped)
			dispatched(input, box)
		}
	}
	return v
}

// TypedIn is what a form holds that has one field for words.
func TypedIn(view slack.View) string {
	return strings.TrimSpace(textOf(view, keptForms[view.CallbackID]))
}

// WithKept is a form that was opened with the words of another time: it says so, and offers to begin
// anew.
func WithKept(v slack.ModalViewRequest, at time.Time) slack.ModalViewRequest {
	says := mrkdwn("Your words from " + when(at) + " are here.")
	note := slack.NewSectionBlock(says, nil, slack.NewAccessory(press("Begin anew", ActionAnew, "anew")), slack.SectionBlockOptionBlockID("kept"))
	v.Blocks.BlockSet = append([]slack.Block{note}, v.Blocks.BlockSet...)
	return v
}

// Anew is a form whose boxes are other ones than before: Slack keeps what stands in a box that is called as
// before. gen is another each time.
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

// KeptOf is what the words of a form are kept under: the order, and for an approval the round, because
// feedback on another is about other pictures.
func KeptOf(view string, m Meta) string {
	if view == CallbackApprove {
		return view + " " + Value(m.Order, m.Revision)
	}
	return view + " " + m.Order
}
