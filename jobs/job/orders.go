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

// GoneLook bounds how long somebody who looks on waits for the service to tell whether it
// knows an order again.
const GoneLook = 3 * time.Second

// LookAgain is seeAgain while somebody looks on.
func (j *Orders) LookAgain(ctx context.Context, t store.Tracked) (store.Tracked, error) {
	within, cancel := context.WithTimeout(ctx, GoneLook)
	defer cancel()
	return j.SeeAgain(within, t)
}

// SeeAgain asks the service for an order that is gone, since whoever sees it again brings
// it back: what a person wants of it is for the service to judge. It returns the order as
// it is then; when the service could not be asked, as it was, and why.
func (j *Orders) SeeAgain(ctx context.Context, t store.Tracked) (store.Tracked, error) {
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
	if errors.Is(err, store.ErrStale) { // somebody else saw it
		now, err = j.Orders.Order(ctx, t.ID)
	}
	if err != nil {
		return t, err
	}
	return now, nil
}

// Record fetches an order and records it, and does so again when a newer truth is met on the way.
// job is the one whose request was answered before, "" when none was. It returns the order as it is
// known, also when it could not be recorded.
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
	return store.Tracked{}, queue.Wait(time.Second) // somebody else keeps recording this order
}

// Course is the course of an order's newest delivery. That it cannot be read costs a form only what was
// before.
func (j *Orders) Course(ctx context.Context, order string) cards.RoundHistory {
	events, err := j.Orders.Events(ctx, order)
	if err != nil {
		j.Log.WarnContext(ctx, "shown without what was before", "order", order, "err", err)
	}
	return cards.CurrentRound(events)
}

// NotApprover is the sentence that says who alone may approve the order, "" when this person may.
func (j *Orders) NotApprover(ctx context.Context, user string, t store.Tracked) (string, error) {
	named, err := j.Access.RequiredApprovers(ctx, user, t)
	if err != nil || len(named) == 0 {
		return "", err
	}
	return settings.NotApprover(t.Owner.Channel, named), nil
}

// Rival is what somebody did to an order because of which a verb cannot be asked for any more, nil
// when it is for another reason.
func (j *Orders) Rival(ctx context.Context, t store.Tracked, verb string) (*order.Event, error) {
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

// WhyCannot says why a verb cannot be asked for: who was first, and the sentence that says so of
// the order.
func (j *Orders) WhyCannot(ctx context.Context, r bot.Request, t store.Tracked, verb, sentence string) (string, *order.Event, error) {
	rival, err := j.Rival(ctx, t, verb)
	return cards.First(rival, r.User, time.Now()) + sentence, rival, err
}
