package job

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"darkroom/access"
	"darkroom/bot"
	"darkroom/cards"
	"darkroom/cards/settings"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// Orders reads and records the order that a job is about.
type Orders struct {
	Changes *store.Changes
	Orders  *store.Orders
	Service Service
	Access  *access.Control
	Log     *slog.Logger
}

// GoneTimeout bounds the wait of a person while the service is asked for a gone order.
const GoneTimeout = 3 * time.Second

// RefetchGoneBriefly is [Orders.RefetchGone] while a person waits.
func (j *Orders) RefetchGoneBriefly(ctx context.Context, t store.Tracked) (store.Tracked, error) {
	within, cancel := context.WithTimeout(ctx, GoneTimeout)
	defer cancel()
	return j.RefetchGone(within, t)
}

// RefetchGone asks the service for a gone order, and records it if it is there again. It returns the current order, or on
// an error the order as it was.
func (j *Orders) RefetchGone(ctx context.Context, t store.Tracked) (store.Tracked, error) {
	if !t.Gone {
		return t, nil
	}
	seen, err := j.Service.Fetch(ctx, t.ID)
	if errors.Is(err, order.ErrInvalidOrder) {
		return t, nil
	}
	if err != nil {
		return t, err
	}
	now, _, err := j.Changes.Record(ctx, t.ID, t.Version, seen)
	if errors.Is(err, store.ErrStale) { // another process recorded it
		now, err = j.Orders.Order(ctx, t.ID)
	}
	if err != nil {
		return t, err
	}
	return now, nil
}

// Record fetches an order and records it, and starts over if the order changed meanwhile. job is the id of the job
// whose write was answered, or "". It returns the order as it is known, also on an error.
func (j *Orders) Record(ctx context.Context, id, job string, fetch func(store.Tracked) (order.Order, error)) (store.Tracked, error) {
	for range 5 {
		t, err := j.Orders.Order(ctx, id)
		if err != nil {
			return t, err
		}
		seen, err := fetch(t)
		if err != nil {
			return t, err
		}
		if t, _, err = j.Changes.RecordAnswer(ctx, t.ID, t.Version, seen, job); !errors.Is(err, store.ErrStale) {
			return t, err
		}
	}
	return store.Tracked{}, queue.Wait(time.Second) // others keep recording this order
}

// RoundHistory returns the history of an order's newest delivery. On an error it logs, and returns an empty history.
func (j *Orders) RoundHistory(ctx context.Context, order string) cards.RoundHistory {
	events, err := j.Orders.Events(ctx, order)
	if err != nil {
		j.Log.WarnContext(ctx, "shown without what was before", "order", order, "err", err)
	}
	return cards.CurrentRound(events)
}

// NotApprover returns a sentence with the people who may approve the order, or "" if the user may.
func (j *Orders) NotApprover(ctx context.Context, user string, t store.Tracked) (string, error) {
	named, err := j.Access.RequiredApprovers(ctx, user, t)
	if err != nil || len(named) == 0 {
		return "", err
	}
	return settings.NotApprover(t.Owner.Channel, named), nil
}

// concurrent returns the event that made the verb impossible, or nil if there is another reason.
func (j *Orders) concurrent(ctx context.Context, t store.Tracked, verb string) (*order.Event, error) {
	kind, is := map[order.Reason]order.EventKind{
		order.ReasonClosed: order.EventApproved, order.ReasonCanceled: order.EventCanceled, order.ReasonRevising: order.EventChanges,
	}[t.WhyNot(verb)]
	if !is {
		return nil, nil
	}
	events, err := j.Orders.Events(ctx, t.ID)
	for _, e := range slices.Backward(events) {
		if e.Kind == kind {
			return &e, err
		}
	}
	return nil, err
}

// WhyCannot returns why the verb is impossible: sentence, after the person who came first, and their event.
func (j *Orders) WhyCannot(ctx context.Context, r bot.Request, t store.Tracked, verb, sentence string) (string, *order.Event, error) {
	concurrent, err := j.concurrent(ctx, t, verb)
	return cards.First(concurrent, r.User, time.Now()) + sentence, concurrent, err
}
