package announce

import (
	"context"

	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// record reads the announced order from the store.
type record struct {
	announcements announcements
	orders        orders
}

func (r *record) read(ctx context.Context, a *announcement) error {
	var err error
	a.tracked, a.events, err = r.announcements.Pending(ctx, a.id)
	a.history = nil
	if err != nil {
		return err
	}
	if a.tracked.Owner.Generation != a.generation {
		return store.ErrMoved
	}
	return nil
}

// around returns the events that an event's message is drawn from. For a review or reminder these are all
// events, else those not announced yet.
func (r *record) around(ctx context.Context, a *announcement, e order.Event) ([]order.Event, error) {
	if e.Kind != order.EventReady && e.Kind != order.EventReminder {
		return a.events, nil
	}
	return r.all(ctx, a)
}

// all returns all events of the order, read once per pass.
func (r *record) all(ctx context.Context, a *announcement) (events []order.Event, err error) {
	if a.history == nil {
		a.history, err = r.orders.Events(ctx, a.id)
	}
	return a.history, err
}

// replyTo returns an event and its reply. A reply without a timestamp does not exist and need not be
// awaited.
func (r *record) replyTo(ctx context.Context, a *announcement, event int64) (e order.Event, p store.Posted, events []order.Event, err error) {
	if err := r.read(ctx, a); err != nil {
		return e, p, nil, err
	}
	if a.tracked.Announced < event { // the post is not recorded yet
		return e, p, nil, queue.Wait(processing)
	}
	events, err = r.orders.Events(ctx, a.id)
	e, _ = eventOf(events, event)
	return e, postedOf(a.tracked, event), events, err
}

// postedOf returns the recorded reply for an event.
func postedOf(t store.Tracked, event int64) store.Posted {
	for _, p := range t.Thread {
		if p.Event == event {
			return p
		}
	}
	return store.Posted{}
}

func eventOf(events []order.Event, seq int64) (order.Event, bool) {
	for _, e := range events {
		if e.Seq == seq {
			return e, true
		}
	}
	return order.Event{}, false
}
