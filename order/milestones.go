package order

import "time"

// Milestones are the times in the life of an order that a report uses, to the second. A zero time has not come
// yet or is unknown.
type Milestones struct {
	Promised time.Time // the estimate of the first delivery, as given at placement
	Ready    time.Time // the first delivery
	Ended    time.Time // approval or cancellation
	Changes  time.Time // the first request for changes after a delivery
}

// IsZero reports whether no milestone is known: the order is new, or older than milestones.
func (m Milestones) IsZero() bool { return m == Milestones{} }

// After returns the milestones after an event. The first delivery counts, and the last end.
func (m Milestones) After(e Event) Milestones {
	at := e.At.UTC().Truncate(time.Second)
	switch e.Kind {
	case EventPlaced, EventTracked:
		if m.Promised.IsZero() && !e.Order.EstimatedDelivery.IsZero() && e.Order.Rev() == 0 {
			m.Promised = e.Order.EstimatedDelivery.UTC().Truncate(time.Second)
		}
	case EventReady:
		if m.Ready.IsZero() {
			m.Ready = at
		}
	case EventChanges:
		if m.Changes.IsZero() && !m.Ready.IsZero() {
			m.Changes = at
		}
	case EventApproved, EventCanceled:
		m.Ended = at
	}
	return m
}

// Lack reports whether milestones are missing for the state of the order. A version without milestones
// recorded it, or a part of its history.
func (m Milestones) Lack(o Order) bool {
	return m.IsZero() || o.Status.Final() && m.Ended.IsZero() || o.Status == StatusReviewing && m.Ready.IsZero()
}
