package change

import (
	"time"

	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// TitleCancel is the title of every window of canceling.
const TitleCancel = "Cancel order"

// DecodeCancel reads a submitted form. The problems are by block id.
func DecodeCancel(view slack.View) (Confirmation, map[string]string) {
	return decodeConfirmation(view, kit.FieldReason, "Cancel Order")
}

// Cancel asks for confirmation and says until when canceling is possible.
func Cancel(t store.Tracked, reason string, now time.Time, externalID string) slack.ModalViewRequest {
	return cancellation(kit.NewPage(cards.Expand("Cancel {order}? Nobody works on it after that, and it cannot be undone.", t)).
		Say(cancelUntil(t.Order.OrderedAt, now)), t, reason, externalID)
}

// cancelUntil says until when an order can be canceled. The service decides.
func cancelUntil(placed, now time.Time) string {
	promised, end := placed.Add(order.CancelPromised), placed.Add(order.CancelWindow)
	says := "The time for that ended " + kit.When(end) + ", so the service will most likely refuse. You can still ask."
	switch {
	case placed.IsZero():
		says = "The service takes an order back for 10 minutes after it was placed, and sometimes for 15."
	case now.Before(promised):
		says = "The service promises to take it back until " + kit.When(promised) + ", and may still do so until " + kit.When(end) + "."
	case now.Before(end):
		says = "The time that the service promises ended " + kit.When(promised) + "; it may still take the order back until " + kit.When(end) + "."
	}
	return says + " The service decides."
}

// cancellation completes every form that cancels.
func cancellation(p *kit.Page, t store.Tracked, reason, externalID string) slack.ModalViewRequest {
	return addConfirmation(p.Note("Whether credits come back is up to the service."), t, kit.FieldReason, "Reason", "Goes to the service, one sentence per line.", reason).
		Form(TitleCancel, "Cancel Order", kit.CallbackCancel, externalID, cards.MetaOf(t))
}

// CancelRefused is [Cancel] with the service's problems and the saved reason.
func CancelRefused(t store.Tracked, reason string, problems kit.Problems, externalID string) slack.ModalViewRequest {
	return cancellation(addRefusal(new(kit.Page), "canceled", t, problems), t, reason, externalID)
}

// CancelTooLate quotes the service's refusal and offers a message to the editor.
func CancelTooLate(t store.Tracked, reason string, problems kit.Problems, note, externalID string) slack.ModalViewRequest {
	p := (&kit.Page{Wide: true}).Problems("*"+cards.Project(t)+"* was not canceled: it is too late. The service says:", problems,
		"The order goes on. You can tell the editor what you want instead, ask the service's support about order "+kit.Inline(t.ID, 100)+", or request changes when the images are ready.").
		Typed("Your words:", reason)
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
	CancelLater = cards.WindowOn(TitleCancel, cards.OnItsWay, cards.NotNow+"was sent yet: I cancel {order} as soon as the service is back, if it still can be canceled then.")
	// Canceled confirms the cancellation.
	Canceled = cards.WindowOn(TitleCancel, "", ":white_check_mark: Canceled: {order}", "Everybody in {channel} can see it. Your credits: `/order balance`")
	// CancelDenied says why nothing was canceled, and shows the reason to copy.
	CancelDenied = cards.DeniedWith(TitleCancel)
	// CancelUnsettled says that the cancellation's outcome is unknown.
	CancelUnsettled = cards.WindowWith(TitleCancel, "", "I cannot tell yet whether {order} was canceled: the service did not answer clearly.",
		"Its card shows the truth as soon as the service tells it. If it does not say _Canceled_ in a few minutes, cancel it again: that is safe.")
)
