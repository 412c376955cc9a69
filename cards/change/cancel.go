package change

import (
	"time"

	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// Titles of the windows of canceling.
const (
	TitleCancel   = "Cancel order"
	titleCanceled = "Order canceled"
)

// DecodeCancel reads a submitted form. The problems are by block id.
func DecodeCancel(view slack.View) (Confirmation, map[string]string) {
	return decodeConfirmation(view, kit.FieldReason, "Cancel Order")
}

// Cancel asks for confirmation and says until when canceling is possible.
func Cancel(t store.Tracked, reason string, now time.Time, externalID string) slack.ModalViewRequest {
	return cancellation(kit.NewPage(cards.Expand("Cancel {order}? Work on it stops. This cannot be undone.", t)).
		Say(cancelUntil(t.Order.OrderedAt, now)), t, reason, externalID)
}

// cancelUntil says until when an order can be canceled. The service decides.
func cancelUntil(placed, now time.Time) string {
	promised, end := placed.Add(order.CancelPromised), placed.Add(order.CancelWindow)
	switch {
	case placed.IsZero():
		return "The photo service takes an order back for 10 minutes after it was placed, and sometimes for 15."
	case now.Before(promised):
		return "The photo service promises to take it back until " + kit.When(promised) + ". It may still do so until " + kit.When(end) + "."
	case now.Before(end):
		return "The promised time ended " + kit.When(promised) + ". The photo service may still take the order back until " + kit.When(end) + "."
	}
	return "The time to cancel ended " + kit.When(end) + ". The photo service will probably refuse. You can still ask."
}

// cancellation completes every form that cancels.
func cancellation(p *kit.Page, t store.Tracked, reason, externalID string) slack.ModalViewRequest {
	view := addConfirmation(p.Note("The photo service decides if credits come back."), t, kit.FieldReason, "Reason", "The photo service gets it. One sentence per line.", reason).
		Form(TitleCancel, "Cancel Order", kit.CallbackCancel, externalID, cards.MetaOf(t))
	view.Close = kit.PlainText("Keep Order")
	return view
}

// CancelRefused is [Cancel] with the service's problems and the saved reason.
func CancelRefused(t store.Tracked, reason string, problems kit.Problems, externalID string) slack.ModalViewRequest {
	return cancellation(addRefusal(new(kit.Page), "canceled", t, problems), t, reason, externalID)
}

// CancelTooLate quotes the service's refusal and offers a message to the editor.
func CancelTooLate(t store.Tracked, reason string, problems kit.Problems, note, externalID string) slack.ModalViewRequest {
	p := (&kit.Page{Wide: true}).Problems("*"+cards.Project(t)+"* was not canceled. It is too late. The photo service says:", problems,
		"The order continues. Tell the editor what you want instead, or request changes when the photos are ready. The photo service's support knows it as order "+kit.Inline(t.ID, 100)+".").
		Typed("Your text:", reason)
	if t.Offers(order.VerbMessage, t.Order.OrderedAt) {
		cards.AddMessageButton(p, t, note)
	}
	return p.Modal(TitleCancel, externalID, cards.MetaOf(t))
}

// Windows of canceling.
var (
	// Canceling shows that the cancellation is in progress.
	Canceling = cards.WindowOn(TitleCancel, cards.OnItsWay, "Canceling {order} …")
	// CancelLater says that the cancellation waits for the service.
	CancelLater = cards.WindowOn(TitleCancel, cards.OnItsWay, cards.NotNow+"was sent yet. I cancel {order} when it is back, if that is still possible.")
	// Canceled confirms the cancellation.
	Canceled = cards.WindowOn(titleCanceled, "", ":white_check_mark: Canceled: {order}", "Everybody in {channel} can see it. To see your credits: `/order balance`")
	// CancelDenied says why nothing was canceled, and shows the reason to copy.
	CancelDenied = cards.DeniedWith(TitleCancel)
	// CancelUnsettled says that the cancellation's outcome is unknown.
	CancelUnsettled = cards.WindowWith(TitleCancel, "", "I do not know yet if {order} was canceled. The photo service gave no clear answer.",
		"Its card will show the outcome. If it does not say _Canceled_ in a few minutes, cancel it again. That is safe.")
)
