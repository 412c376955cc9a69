package cards

import (
	"time"

	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

const fieldReason = "reason"

// DecodeCancel reads a submitted form. The problems are by block id.
func DecodeCancel(view slack.View) (Confirmation, map[string]string) {
	return decodeConfirmation(view, fieldReason, "Cancel order")
}

// Cancel asks whether an order should be taken back, and says until when that is possible.
func Cancel(t store.Tracked, reason string, now time.Time, externalID string) slack.ModalViewRequest {
	return says(expand("Cancel {order}? Nobody works on it after that, and it cannot be undone.", t)).
		say(cancelUntil(t.Order.OrderedAt, now)).cancellation(t, reason, externalID)
}

// cancelUntil says until when an order that was placed then can be canceled. The service is the
// judge.
func cancelUntil(placed, now time.Time) string {
	promised, end := placed.Add(order.CancelPromised), placed.Add(order.CancelWindow)
	says := "The time for that ended " + when(end) + ", so the service will most likely refuse. You can still ask."
	switch {
	case placed.IsZero():
		says = "The service takes an order back for 10 minutes after it was placed, and sometimes for 15."
	case now.Before(promised):
		says = "The service promises to take it back until " + when(promised) + ", and may still do so until " + when(end) + "."
	case now.Before(end):
		says = "The time that the service promises ended " + when(promised) + "; it may still take the order back until " + when(end) + "."
	}
	return says + " The service decides."
}

// cancellation is the rest of every form that cancels.
func (p *builder) cancellation(t store.Tracked, reason, externalID string) slack.ModalViewRequest {
	return p.note("Whether credits come back is up to the service.").
		confirmation(t, fieldReason, "Reason", "Goes to the service, one sentence per line.", reason).
		form(TitleCancel, "Cancel order", CallbackCancel, externalID, metaOf(t))
}

// CancelRefused shows the service's reasons, with the reason kept.
func CancelRefused(t store.Tracked, reason string, problems Problems, externalID string) slack.ModalViewRequest {
	return new(builder).refusedTo("canceled", t, problems).cancellation(t, reason, externalID)
}

// CancelTooLate says in the service's own words that the time is over, and what can
// still be done.
func CancelTooLate(t store.Tracked, reason string, problems Problems, note, externalID string) slack.ModalViewRequest {
	p := (&builder{wide: true}).problems("*"+project(t)+"* was not canceled: it is too late. The service says:", problems,
		"The order goes on. You can tell the editor what you want instead, ask the service's support about order "+inline(t.ID, 100)+", or request changes when the images are ready.").
		kept("Your words:", reason)
	if t.Offers(order.VerbMessage, t.Order.OrderedAt) {
		p.messageButton(t, note)
	}
	return p.modal(TitleCancel, externalID, metaOf(t))
}
