package announce

import (
	"fmt"
	"slices"
	"time"

	"darkroom/cards"
	"darkroom/order"
	"darkroom/store"
)

// live says that a reply's buttons can still be pressed with success: it shows the edit that is
// waiting for an answer now, the message that is, or a pause that lasts. It looks for
// what overtook it in events.
func (a *announcement) live(e order.Event, events []order.Event) bool {
	newer := func(kinds ...order.EventKind) bool {
		return slices.ContainsFunc(events, func(other order.Event) bool { return other.Seq > e.Seq && slices.Contains(kinds, other.Kind) })
	}
	switch e.Kind {
	case order.EventReady:
		return !newer(order.EventReady) && a.tracked.InReview(e.Order.Rev()) && !a.tracked.ChangeWaits(time.Now())
	case order.EventMessage:
		return !newer(order.EventMessage, order.EventEditor) && a.tracked.Offers(order.VerbMessage, a.tracked.Order.OrderedAt)
	case order.EventPaused:
		return !newer(order.EventPaused) && !a.tracked.Untracked && a.tracked.Paused()
	case order.EventReminder:
		return !newer(cards.AfterReminder()...) && a.tracked.Order.Status == e.Order.Status && (a.tracked.InReview(e.Order.Rev()) || a.tracked.Paused() && !a.tracked.Untracked)
	}
	return false
}

// ended is how a review or a pause ended, as it is kept with its reply; "" while it is live, of a pause
// that is over, and of everything else.
func (a *announcement) ended(e order.Event, events []order.Event, live bool) string {
	review, pause := e.Kind == order.EventReady, e.Kind == order.EventPaused
	if live || !review && !pause || pause && cards.PauseOver(a.tracked, e, events) {
		return ""
	}
	if c := cards.CourseOf(a.tracked, events, e); review && c.Ended != nil {
		return c.Ended.ID
	}
	now := store.ForNow + fmt.Sprint(a.tracked.Order.Status, a.tracked.Gone, a.tracked.Untracked)
	if a.tracked.ChangeWaits(time.Now()) {
		now += " waits"
	}
	return now
}

// verdicts is what a review says of how many of its images are good; "" when it has ended, and of all else.
func (a *announcement) verdicts(e order.Event, live bool) string {
	if !live || e.Kind != order.EventReady {
		return ""
	}
	return a.tracked.Tally()
}

// outdated says that there is no message for an event, or no longer: a snooze is told by the reminder itself, and
// what nobody waits for any more is not said.
func (a *announcement) outdated(e order.Event) bool {
	switch e.Kind {
	case order.EventSnoozed:
		return true
	case order.EventReminder:
		return !a.live(e, a.events) || a.tracked.ChangeWaits(time.Now())
	case order.EventLate:
		return !a.tracked.Expected() || a.tracked.Order.Rev() != e.Order.Rev()
	}
	return false
}

// broadcast says that an event is shown in the channel too: it asks somebody to act.
func (a *announcement) broadcast(e order.Event, live bool) bool {
	switch e.Kind {
	case order.EventReady:
		return true
	case order.EventPaused:
		return live
	}
	return e.Kind == order.EventResumed && a.tracked.InReview(e.Order.Rev())
}
