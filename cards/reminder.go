package cards

import (
	"slices"
	"time"

	"github.com/slack-go/slack"

	"darkroom/order"
	"darkroom/store"
)

// ActionSnooze is what begins the ids of the buttons that put the next reminder off; they carry what [AskValue]
// makes of the reminder.
const ActionSnooze = "snooze:"

// For how long the next reminder is put off, behind [ActionSnooze].
const (
	SnoozeTomorrow = "tomorrow" // until tomorrow morning
	SnoozeHours    = "hours"    // for four hours
)

// AfterReminder are the events after which a reminder asks for nothing any more.
func AfterReminder() []order.EventKind {
	return []order.EventKind{
		order.EventReminder, order.EventSnoozed, order.EventReady, order.EventPaused, order.EventResumed, order.EventChanges,
		order.EventApproved, order.EventCanceled, order.EventMoved, order.EventUntracked, order.EventGone,
	}
}

// Reminder is the reply that says of an order that it waits for somebody. While it is live it says for whom, and
// lets the next one be put off; else who did that, or nothing more. events is what happened to the order, oldest first.
func Reminder(t store.Tracked, e order.Event, events []order.Event, live bool, thumbs Thumbs) Message {
	p := &builder{}
	asks, done := waitsForReview(t, e)
	head := "Reminder: " + project(t)
	snoozed := slices.IndexFunc(events, func(other order.Event) bool {
		return other.Kind == order.EventSnoozed && other.ID == order.SnoozeID(e.ID)
	})
	switch {
	case live:
		if t.Owner.Departed != "" && len(thumbs.Asks) == 0 {
			asks = capital(asks)
		}
		p.say(asksFor(t, thumbs, head, joined(" ", asks, finished(led("It has waited since ", whenKnown(waitsSince(e, events).At))))))
		p.buttons(append([]slack.BlockElement{
			pressOf(t, labelSnooze, labelSnooze+" until tomorrow:", ActionSnooze+SnoozeTomorrow, AskValue(t, e)),
			pressOf(t, labelSnooze+" 4 hours", labelSnooze+" 4 hours:", ActionSnooze+SnoozeHours, AskValue(t, e)),
		}, takeOver(t)...)...).
			note("*" + labelSnooze + "* reminds you again tomorrow morning. Without it, this was the only reminder of this round.")
	case snoozed >= 0:
		p.say(head).note(":zzz: Snoozed " + by(events[snoozed].Actor) + " until " + when(events[snoozed].Until) + ".")
	default:
		p.say(head + "\n" + done)
	}
	return p.post(t, e.ID)
}

const labelSnooze = "Snooze"

// waitsForReview is what is asked of somebody, and how that is told when it is over.
func waitsForReview(t store.Tracked, e order.Event) (asks, done string) {
	if (order.Known{Order: e.Order}).Paused() {
		return "the service has paused this order. To ask why, press *" + labelMessage + "* on its card, or type `/order message " + handle(t) + " …`.", "It was paused."
	}
	return "it waits for your review, above in this thread.", "It waited for a review."
}

// waitsSince is when what a reminder is about began: the last delivery or pause before it.
func waitsSince(e order.Event, events []order.Event) (since order.Event) {
	for _, other := range events {
		if other.Seq < e.Seq && (other.Kind == order.EventReady || other.Kind == order.EventPaused) {
			since = other
		}
	}
	return since
}

// lateReply says that the estimate of a delivery has passed, once.
func lateReply(p *builder, t store.Tracked, e order.Event, _ Thumbs) {
	p.say("Past its estimate: " + project(t) + ofRound(t))
	p.say(finished(led("The service expected to deliver it ", whenKnown(e.Order.EstimatedDelivery))) + " It is not there yet. To ask the editor: `/order message " + handle(t) + " …`. " + heardWhenSent)
}

// ReminderOver answers who snoozes what nobody is reminded of any more.
const ReminderOver = "Nobody waits for that any more, so there is nothing to snooze."

// Snoozed confirms to who did it that the next reminder was put off.
func Snoozed(t store.Tracked, until time.Time) Message {
	return Say(expand("Snoozed: {order}. ", t) + "If it still waits then, the next reminder comes " + when(until) + ".")
}
