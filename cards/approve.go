package cards

import (
	"darkroom/store"

	"github.com/slack-go/slack"
)

const fieldFeedback = "feedback"

// DecodeApprove reads a submitted form. The problems are by block id.
func DecodeApprove(view slack.View) (Confirmation, map[string]string) {
	return decodeConfirmation(view, fieldFeedback, "Approve")
}

// Approve asks for a last look and optional feedback. It is bound to the
// revision shown, and to its images; without thumbs the images are only named.
func Approve(t store.Tracked, feedback string, thumbs bool, externalID string) slack.ModalViewRequest {
	return says(expand("Approve {order}"+ofRound(t)+"? That closes the order: no more changes after it.", t)).
		approval(t, feedback, thumbs, externalID)
}

// approval is the rest of every form that approves.
func (p *builder) approval(t store.Tracked, feedback string, thumbs bool, externalID string) slack.ModalViewRequest {
	p.gallery(album{images: Latest(t.Order.EditedImages)}, Thumbs{Show: thumbs}, seeAll(t))
	p.note(unheard(t.Order))
	return p.confirmation(t, fieldFeedback, "Feedback", "Goes to the service with your approval.", feedback).
		form(TitleApprove, "Approve", CallbackApprove, externalID, metaOf(t))
}

// ApproveStale says that a newer revision than the one seen exists, shows it,
// and asks again, bound to the newer one.
func ApproveStale(t store.Tracked, seen int, feedback string, thumbs bool, externalID string) slack.ModalViewRequest {
	return says(newer(t, seen)).
		say("Nothing was approved, and your words are kept. Look at the newer images, then approve them here.").
		approval(t, feedback, thumbs, externalID)
}

// ApproveRefused shows the service's reasons, with the feedback kept.
func ApproveRefused(t store.Tracked, feedback string, problems Problems, externalID string) slack.ModalViewRequest {
	return refusedTo("approved", t, problems).approval(t, feedback, false, externalID)
}
