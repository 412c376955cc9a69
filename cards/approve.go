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
// revision shown, and to its images. Like the review it shows what there is to judge: of a later round
// what is new.
func Approve(t store.Tracked, c Course, feedback string, thumbs Thumbs, externalID string) slack.ModalViewRequest {
	return roomiest(func(p *builder) slack.ModalViewRequest {
		return p.say(expand("Approve {order}"+ofRound(t)+"? That closes the order: no more changes after it.", t)).
			approval(t, c, feedback, thumbs, externalID)
	})
}

// roomiest is the form with as many pictures as a view holds; beside very long words fewer find room.
func roomiest(form func(*builder) slack.ModalViewRequest) slack.ModalViewRequest {
	if view := form(&builder{wide: true}); fitsView(view) {
		return view
	}
	return form(&builder{})
}

// approval is the rest of every form that approves.
func (p *builder) approval(t store.Tracked, c Course, feedback string, thumbs Thumbs, externalID string) slack.ModalViewRequest {
	p.toJudge(t, c, thumbs)
	p.say(notGood(t)).note(unheard(t.Order))
	return p.confirmation(t, fieldFeedback, "Feedback", "Goes to the service with your approval.", feedback).
		form(TitleApprove, "Approve", CallbackApprove, externalID, metaOf(t))
}

// ApproveStale says that a newer revision than the one seen exists, shows it,
// and asks again, bound to the newer one.
func ApproveStale(t store.Tracked, c Course, seen int, feedback string, thumbs Thumbs, externalID string) slack.ModalViewRequest {
	return roomiest(func(p *builder) slack.ModalViewRequest {
		return p.alert(newer(t, seen)).
			say("Nothing was approved, and your words are kept. Look at the newer images, then approve them here.").
			approval(t, c, feedback, thumbs, externalID)
	})
}

// toJudge shows what an approval is about, with a button to all images when some are left out.
func (p *builder) toJudge(t store.Tracked, c Course, thumbs Thumbs) {
	latest := Latest(t.Order.EditedImages)
	changed, lost := c.changed(latest)
	hidden := 0
	switch {
	case c.Before == nil && t.Order.Rev() == 0:
		hidden = p.asOrdered(t, latest, thumbs)
	case len(changed) == 0:
		hidden = p.gallery(album{images: latest}, thumbs, seeAll(t))
	default:
		hidden = p.say(someNew(len(changed), len(latest))).whatChanged(t, c, changed, lost, thumbs)
	}
	if hidden > 0 {
		p.buttons(seeAllOf(t, len(latest)))
	}
}

// ApproveRefused shows the service's reasons, with the feedback kept.
func ApproveRefused(t store.Tracked, c Course, feedback string, problems Problems, thumbs Thumbs, externalID string) slack.ModalViewRequest {
	return roomiest(func(p *builder) slack.ModalViewRequest {
		return p.refusedTo("approved", t, problems).approval(t, c, feedback, thumbs, externalID)
	})
}
