package cards

import (
	"strconv"

	"darkroom/store"

	"github.com/slack-go/slack"
)

const fieldFeedback = "feedback"

// Approval is the approve form as somebody filled it in, bound to what that person saw.
type Approval struct {
	Meta
	Feedback string
}

// DecodeApprove reads a submitted form. The problems are by block id.
func DecodeApprove(view slack.View) (Approval, map[string]string) {
	a := Approval{Meta: DecodeMeta(view.PrivateMetadata), Feedback: textOf(view, fieldFeedback)}
	problems := map[string]string{}
	if a.Order == "" {
		problems[blockOf(view, fieldFeedback)] = "This window has lost its order. Copy your words, close it, and press Approve on the order's card again."
	}
	return a, problems
}

// Approve asks for a last look and optional feedback. It is bound to the
// revision shown, and to its images; without thumbs the images are only named.
func Approve(t store.Tracked, feedback string, thumbs bool, externalID string) slack.ModalViewRequest {
	return says("Approve *"+project(t)+"*"+ofRevision(t)+"? That closes the order: no more changes after it.").
		approval(t, feedback, thumbs, externalID)
}

// approval is the rest of every form that approves.
func (p *builder) approval(t store.Tracked, feedback string, thumbs bool, externalID string) slack.ModalViewRequest {
	p.gallery(Latest(t.Order.EditedImages), Thumbs{Show: thumbs}, seeAll(t))
	p.boxes(fieldFeedback, "Feedback", "Goes to the service with your approval.", feedback, func(part int) string {
		return blockID(fieldFeedback, t.Order.Rev(), part)
	})
	return p.form(TitleApprove, "Approve", CallbackApprove, externalID, metaOf(t))
}

func ofRevision(t store.Tracked) string {
	if t.Order.Rev() == 0 {
		return ""
	}
	return ", revision " + strconv.Itoa(t.Order.Rev())
}

// Approving shows that the approval is on its way.
func Approving(t store.Tracked, externalID string) slack.ModalViewRequest {
	return says("Approving *"+project(t)+"* …").note(onItsWay).modal(TitleApprove, externalID, metaOf(t))
}

// ApproveLater says that the service does not answer and nothing was sent yet.
func ApproveLater(t store.Tracked, externalID string) slack.ModalViewRequest {
	return says("The photo service does not answer just now. Nothing was sent yet: I approve *"+project(t)+"* as soon as the service is back.").
		note(onItsWay).modal(TitleApprove, externalID, metaOf(t))
}

// Approved is the good end.
func Approved(t store.Tracked, externalID string) slack.ModalViewRequest {
	return says(":white_check_mark: Approved: *"+project(t)+"*").
		say("The order is closed. Everybody in "+channelLink(t.Owner.Channel)+" can see it.").
		modal(TitleApprove, externalID, metaOf(t))
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
	return new(builder).problems("*"+project(t)+"* was not approved. The service says:", problems, "Your words are kept. You can try again, or look at the order first: `/order show "+handle(t)+"`").
		approval(t, feedback, false, externalID)
}

// CannotApproveHere is said to a member who is not among those who approve in the
// order's channel.
func CannotApproveHere(t store.Tracked) string {
	return "You are not among those who approve orders in " + channelLink(t.Owner.Channel) + ". Nothing was changed: ask one of them to look at *" + project(t) + "*."
}

// ApproveDenied says in a sentence of ours, safe as it is, why nothing was approved;
// the feedback is shown to be copied.
func ApproveDenied(t store.Tracked, feedback, sentence, externalID string) slack.ModalViewRequest {
	return window(":warning: "+sentence).kept("Your words:", feedback).modal(TitleApprove, externalID, metaOf(t))
}

// ApproveUnsettled says that nobody knows whether the approval arrived.
func ApproveUnsettled(t store.Tracked, feedback, externalID string) slack.ModalViewRequest {
	return window("I cannot tell yet whether *"+project(t)+"* was approved: the service did not answer clearly.").
		say("Its card shows the truth as soon as the service tells it. If it still says _Ready for review_ in a few minutes, approve it again: that is safe.").
		kept("Your words:", feedback).modal(TitleApprove, externalID, metaOf(t))
}
