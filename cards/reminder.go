package cards

import (
	"slices"
	"time"

	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// ActionSnooze begins the action ids of snooze buttons. They carry the reminder's [AskValue].
const ActionSnooze = "snooze:"

// Snooze durations, behind [ActionSnooze].
const (
	SnoozeTomorrow = "tomorrow" // until tomorrow morning
	SnoozeHours    = "hours"    // for four hours
)

// AfterReminder returns the events that end a reminder.
func AfterReminder() []order.EventKind {
	return []order.EventKind{
		order.EventReminder, order.EventSnoozed, order.EventReady, order.EventPaused, order.EventResumed, order.EventChanges,
		order.EventApproved, order.EventCanceled, order.EventMoved, order.EventUntracked, order.EventGone,
	}
}

// Reminder is the reply that says an order waits for somebody. A live reminder mentions them and can be
// snoozed; otherwise it says who snoozed it. events is the order's history, oldest first.
func Reminder(t store.Tracked, e order.Event, events []order.Event, live bool, thumbs Thumbs) kit.Message {
	p := &kit.Page{}
	asks, done := waitsForReview(t, e)
	head := "Reminder: " + Project(t)
	snoozed := slices.IndexFunc(events, func(other order.Event) bool {
		return other.Kind == order.EventSnoozed && other.ID == order.SnoozeID(e.ID)
	})
	switch {
	case live:
		if (t.Owner.Deactivated != "" || t.Owner.Direct) && len(thumbs.Asks) == 0 {
			asks = kit.Capital(asks)
		}
		p.Say(calls(t, thumbs, head, kit.Join(" ", asks, kit.FullStop(kit.Prefixed("It has waited since ", kit.WhenKnown(waitsSince(e, events).At))))))
		p.Buttons(append([]slack.BlockElement{
			OrderButton(t, labelSnooze, labelSnooze+":", ActionSnooze+SnoozeTomorrow, AskValue(t, e)),
			OrderButton(t, "Snooze 4 Hours", "Snooze 4 Hours:", ActionSnooze+SnoozeHours, AskValue(t, e)),
		}, takeOver(t)...)...).
			Note("*" + labelSnooze + "* reminds you tomorrow morning. This is the only reminder otherwise.")
	case snoozed >= 0:
		p.Say(head).Note(":zzz: Snoozed " + by(t, events[snoozed].Actor) + " until " + kit.When(events[snoozed].Until) + ".")
	default:
		p.Say(head + "\n" + done)
	}
	return post(p, t, e.ID)
}

const labelSnooze = "Snooze Until Tomorrow"

// waitsForReview returns what a live reminder asks, and the past tense for afterwards.
func waitsForReview(t store.Tracked, e order.Event) (asks, done string) {
	if (order.Known{Order: e.Order}).Paused() {
		return "the photo service has paused this order. To ask why, press *" + labelMessage + "* on its card, or type `/order message " + Handle(t) + " …`.", "It was paused."
	}
	return "it waits for your review in this thread.", "It waited for a review."
}

// waitsSince returns the last delivery or pause before the reminder.
func waitsSince(e order.Event, events []order.Event) (since order.Event) {
	for _, other := range events {
		if other.Seq < e.Seq && (other.Kind == order.EventReady || other.Kind == order.EventPaused) {
			since = other
		}
	}
	return since
}

// lateReply says that the estimated delivery has passed.
func lateReply(p *kit.Page, t store.Tracked, e order.Event, _ Thumbs) {
	p.Say("Past its estimate: " + Project(t) + OfRound(t))
	p.Say(kit.FullStop(kit.Prefixed("The photo service expected to deliver it ", kit.WhenKnown(e.Order.EstimatedDelivery))) + " It is not there yet. To ask the editor: `/order message " + Handle(t) + " …`. " + AnswerTiming)
}

// ReminderOver answers a snooze of a reminder that has ended.
const ReminderOver = "This reminder is over. There is nothing to snooze."

// Snoozed confirms a snooze to its user.
func Snoozed(t store.Tracked, until time.Time) kit.Message {
	return kit.Say(Expand("Snoozed: {order}. ", t) + "If it still waits then, the next reminder comes " + kit.When(until) + ".")
}
