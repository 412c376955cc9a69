package cards

import (
	"time"

	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

const fieldReason = "reason"

// Cancellation is the cancel form as somebody filled it in.
type Cancellation struct {
	Order  string
	Reason string
}

// DecodeCancel reads a submitted form. The problems are by block id.
func DecodeCancel(view slack.View) (Cancellation, map[string]string) {
	c := Cancellation{Order: DecodeMeta(view.PrivateMetadata).Order, Reason: textOf(view, fieldReason)}
	problems := map[string]string{}
	if c.Order == "" {
		problems[blockOf(view, fieldReason)] = "This window has lost its order. Copy your words, close it, and press Cancel order on the order's card again."
	}
	return c, problems
}

// Cancel asks whether an order should be taken back, and says until when that is possible.
func Cancel(t store.Tracked, reason string, now time.Time, externalID string) slack.ModalViewRequest {
	return says("Cancel *"+project(t)+"*? Nobody works on it after that, and it cannot be undone.").
		say(cancelUntil(t, now)).cancellation(t, reason, externalID)
}

// cancelUntil says until when an order can be canceled. The service is the judge.
func cancelUntil(t store.Tracked, now time.Time) string {
	placed := t.Order.OrderedAt
	judge := " The service decides."
	switch {
	case placed.IsZero():
		return "The service takes an order back in the first 10 minutes, and sometimes until the 15th." + judge
	case now.Before(placed.Add(order.CancelPromised)):
		return "The service promises to take it back until " + when(placed.Add(order.CancelPromised)) + ", and may still do so until " + when(placed.Add(order.CancelWindow)) + "." + judge
	case now.Before(placed.Add(order.CancelWindow)):
		return "The time that the service promises ended " + when(placed.Add(order.CancelPromised)) + "; it may still take the order back until " + when(placed.Add(order.CancelWindow)) + "." + judge
	}
	return "The time for that ended " + when(placed.Add(order.CancelWindow)) + ", so the service will most likely refuse. You can still ask." + judge
}

// cancellation is the rest of every form that cancels.
func (p *builder) cancellation(t store.Tracked, reason, externalID string) slack.ModalViewRequest {
	p.note("Whether credits come back is up to the service.")
	p.boxes(fieldReason, "Reason", "Goes to the service, one sentence per line.", reason, func(part int) string {
		return blockID(fieldReason, t.Order.Rev(), part)
	})
	return p.form(TitleCancel, "Cancel order", CallbackCancel, externalID, metaOf(t))
}

// Canceling shows that the cancellation is on its way.
func Canceling(t store.Tracked, externalID string) slack.ModalViewRequest {
	return says("Canceling *"+project(t)+"* …").note(onItsWay).modal(TitleCancel, externalID, metaOf(t))
}

// CancelLater says that the service does not answer and nothing was sent yet.
func CancelLater(t store.Tracked, externalID string) slack.ModalViewRequest {
	return says("The photo service does not answer just now. Nothing was sent yet: I cancel *"+project(t)+"* as soon as the service is back, if it still can be canceled then.").
		note(onItsWay).modal(TitleCancel, externalID, metaOf(t))
}

// Canceled is the good end.
func Canceled(t store.Tracked, externalID string) slack.ModalViewRequest {
	return says(":white_check_mark: Canceled: *"+project(t)+"*").
		say("Everybody in "+channelLink(t.Owner.Channel)+" can see it. Your credits: `/order balance`").
		modal(TitleCancel, externalID, metaOf(t))
}

// CancelRefused shows the service's reasons, with the reason kept.
func CancelRefused(t store.Tracked, reason string, problems Problems, externalID string) slack.ModalViewRequest {
	return new(builder).problems("*"+project(t)+"* was not canceled. The service says:", problems, "Your words are kept. You can try again, or look at the order first: `/order show "+handle(t)+"`").
		cancellation(t, reason, externalID)
}

// CancelTooLate says in the service's own words that the time is over, and what can
// still be done.
func CancelTooLate(t store.Tracked, reason string, problems Problems, note, externalID string) slack.ModalViewRequest {
	p := &builder{wide: true}
	p.problems("*"+project(t)+"* was not canceled: it is too late. The service says:", problems,
		"The order goes on. You can tell the editor what you want instead, ask the service's support about order "+inline(t.ID, 100)+", or request changes when the images are ready.")
	p.kept("Your words:", reason)
	if t.Offers(order.VerbMessage, t.Order.OrderedAt) {
		p.messageButton(t, note)
	}
	return p.modal(TitleCancel, externalID, metaOf(t))
}

// CancelDenied says in a sentence of ours, safe as it is, why nothing was canceled; the
// reason is shown to be copied.
func CancelDenied(t store.Tracked, reason, sentence, externalID string) slack.ModalViewRequest {
	return window(":warning: "+sentence).kept("Your words:", reason).modal(TitleCancel, externalID, metaOf(t))
}

// CancelUnsettled says that nobody knows whether the cancellation arrived.
func CancelUnsettled(t store.Tracked, reason, externalID string) slack.ModalViewRequest {
	return window("I cannot tell yet whether *"+project(t)+"* was canceled: the service did not answer clearly.").
		say("Its card shows the truth as soon as the service tells it. If it does not say _Canceled_ in a few minutes, cancel it again: that is safe.").
		kept("Your words:", reason).modal(TitleCancel, externalID, metaOf(t))
}
