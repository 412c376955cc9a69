package order

import "time"

// Milestones are the times of an order's course that a report counts with, to the second. A zero time
// has not come, or nobody told.
type Milestones struct {
	Promised time.Time // what the service estimated for the first delivery when the order was placed
	Ready    time.Time // the first delivery
	Ended    time.Time // it was approved or canceled
}

// IsZero says that none of them is known: the order was kept before they were, or has just begun.
func (m Milestones) IsZero() bool { return m == Milestones{} }

// After is what they are once that happened. Only the first delivery counts, and what ended the order last.
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
	case EventApproved, EventCanceled:
		m.Ended = at
	}
	return m
}

// Lack says that the milestones of an order that stands so cannot be all: a version that kept none
// recorded it, or a part of its course.
func (m Milestones) Lack(o Order) bool {
	return m.IsZero() || o.Status.Final() && m.Ended.IsZero() || o.Status == StatusReviewing && m.Ready.IsZero()
}
