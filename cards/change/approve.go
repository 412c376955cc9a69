package change

import (
	"time"

	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// Titles of the windows of approving.
const (
	TitleApprove  = "Approve order"
	titleApproved = "Order approved"
)

// unanswered warns that the editor may not have answered our last message, or returns "".
func unanswered(o order.Order) string {
	if len(o.Conversation) == 0 || !o.Conversation[len(o.Conversation)-1].FromClient() {
		return ""
	}
	last := o.Conversation[len(o.Conversation)-1]
	return ":speech_balloon: I know of no answer to the last message to the editor" + kit.Prefixed(", ", kit.WhenKnown(last.CreatedAt)) + ". " +
		cards.AnswerTiming + " To ask first, press *" + cards.LabelAsk + "* on that message in the order's thread."
}

// DecodeApprove reads a submitted form. The problems are by block id.
func DecodeApprove(view slack.View) (Confirmation, map[string]string) {
	return decodeConfirmation(view, kit.FieldFeedback, "Approve")
}

// Approve asks for a last look and optional feedback. It shows the images to judge, as the review does, and is
// bound to them and to the revision.
func Approve(t store.Tracked, c cards.RoundHistory, feedback string, thumbs cards.Thumbs, externalID string) slack.ModalViewRequest {
	return fitted(func(p *kit.Page) slack.ModalViewRequest {
		return approval(p.Say(cards.Expand("Approve {order}"+cards.OfRound(t)+"? This closes the order. No more changes after it.", t)), t, c, feedback, thumbs, externalID)
	})
}

// fitted builds the form with many pictures if a view holds them, else with few, which fit beside very long text.
func fitted(form func(*kit.Page) slack.ModalViewRequest) slack.ModalViewRequest {
	if view := form(&kit.Page{Wide: true}); fitsView(view) {
		return view
	}
	return form(&kit.Page{})
}

// approval completes every form that approves.
func approval(p *kit.Page, t store.Tracked, c cards.RoundHistory, feedback string, thumbs cards.Thumbs, externalID string) slack.ModalViewRequest {
	addToJudge(p, t, c, thumbs)
	p.Say(notGood(t)).Say(cards.DoneNote(nil, cards.DoneOf(t, c))).Note(unanswered(t.Order))
	return addConfirmation(p, t, kit.FieldFeedback, "Feedback", "The photo service gets it with your approval.", feedback).
		Form(TitleApprove, "Approve Order", kit.CallbackApprove, externalID, cards.MetaOf(t))
}

// ApproveStale is [Approve] for somebody who saw older images. It says so and is bound to the newer ones.
func ApproveStale(t store.Tracked, c cards.RoundHistory, seen int, feedback string, thumbs cards.Thumbs, externalID string) slack.ModalViewRequest {
	return fitted(func(p *kit.Page) slack.ModalViewRequest {
		return approval(p.Alert(newer(t, seen)).
			Say("Nothing was approved. Look at the newer photos, then approve them."+kit.OnlyIf(feedback != "", " Your text is saved.")), t, c, feedback, thumbs, externalID)
	})
}

// addToJudge shows the images to approve, with a button to all images if some are hidden.
func addToJudge(p *kit.Page, t store.Tracked, c cards.RoundHistory, thumbs cards.Thumbs) {
	latest := order.Latest(t.Order.EditedImages)
	changed, lost := c.Changed(latest)
	hidden := 0
	switch {
	case c.Before == nil && t.Order.Rev() == 0:
		hidden = cards.AddAsOrdered(p, t, latest, thumbs)
	case len(changed) == 0:
		hidden = cards.AddGallery(p, cards.Album{Images: latest}, thumbs, cards.SeeAll(t))
	default:
		hidden = cards.AddWhatChanged(p.Say(cards.SomeNew(len(changed), len(latest))), t, c, changed, lost, thumbs)
	}
	if hidden > 0 {
		p.Buttons(cards.SeeAllOf(t, len(latest)))
	}
}

// ApproveRefused is [Approve] with the service's reasons and the saved feedback.
func ApproveRefused(t store.Tracked, c cards.RoundHistory, feedback string, problems kit.Problems, thumbs cards.Thumbs, externalID string) slack.ModalViewRequest {
	return fitted(func(p *kit.Page) slack.ModalViewRequest {
		return approval(addRefusal(p, "approved", t, problems), t, c, feedback, thumbs, externalID)
	})
}

// NotApprovedNewer answers somebody who pressed *Approve* beside older photos. It leads to the newer review, if that
// is posted.
func NotApprovedNewer(t store.Tracked, seen int, links cards.Links, now time.Time) kit.Message {
	p := kit.NewPage(kit.Warning + newer(t, seen) + " Nothing was approved.")
	if review := cards.ReviewButton(t, links, now); review != nil {
		return p.Buttons(review).Message()
	}
	return p.Say("The order's thread shows them in a moment.").Message()
}

// Windows of approving.
var (
	// Approving shows that the approval is in progress.
	Approving = cards.WindowOn(TitleApprove, cards.OnItsWay, "Approving {order} …")
	// ApproveLater says that the approval waits for the service.
	ApproveLater = cards.WindowOn(TitleApprove, cards.OnItsWay, cards.NotNow+"was sent yet. I approve {order} when it is back, unless newer photos arrive first.")
	// Approved confirms the approval.
	Approved = cards.WindowOn(titleApproved, "", ":white_check_mark: Approved: {order}", "The order is closed. Everybody in {channel} can see it.")
	// ApproveDenied says why nothing was approved, and shows the feedback to copy.
	ApproveDenied = cards.DeniedWith(TitleApprove)
	// ApproveUnsettled says that the approval's outcome is unknown.
	ApproveUnsettled = cards.WindowWith(TitleApprove, "", "I do not know yet if {order} was approved. The photo service gave no clear answer.",
		"Its card will show the outcome. If it still says _Ready for review_ in a few minutes, approve it again. That is safe.")
)
