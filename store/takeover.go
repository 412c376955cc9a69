package store

import (
	"context"
	"errors"
	"fmt"

	"darkroom/order"
	"darkroom/store/kv"
	"darkroom/store/script"
	"darkroom/store/tenants"
)

// ErrTaken says that somebody else has taken the order over.
var ErrTaken = errors.New("somebody else has taken it over")

// TakeOver makes another person the requester of an order, in one step, and announces the event "taken" by them.
// If several do so at once, one succeeds; the others get [ErrTaken] with the order as it is then. The present
// requester stays the requester.
func (s *Changes) TakeOver(ctx context.Context, id, from, to string) (Tracked, error) {
	taken := false
	t, err := s.records.rewrite(ctx, id, func(old stored) (kv.Result, error) {
		switch {
		case old.Untracked:
			return kv.Stale, ErrNotTracked
		case old.Owner.Requester == to:
			return kv.Written, nil
		case old.Owner.Requester != from:
			taken = true
			return kv.Written, nil
		}
		return s.takeOver(ctx, old, to)
	})
	if err == nil && taken {
		err = orderError(id, ErrTaken)
	}
	return t, err
}

func (s *Changes) takeOver(ctx context.Context, old stored, to string) (kv.Result, error) {
	next := old.Tracked
	next.Version++
	next.Owner.Requester = to
	keys := s.records.keys(old.Tracked)
	keys["to_orders"] = s.db.Key("requester", old.Owner.Team, to)
	code, err := s.db.Run(ctx, "take_over", keys, script.Args{
		"id": old.ID, "version": old.Version, "from": old.Owner.Requester, "to": to,
		"ordered_at": orderedAt(old.Order).UnixMilli(), "active": activeEntry(next),
		"event":    eventArgs(eventOf(old, order.EventTaken, fmt.Sprintf("v%d", next.Version), to)),
		"announce": s.records.queue.PutArgs(ctx, announceJob(next, fmt.Sprintf("v%d", next.Version))), "poll": s.records.polls.WakeArgs(tenants.PollJob()),
	})
	return kv.Result(code), err
}

// Offer lists the people who may take over an order whose channel is unreachable and whose requester is deactivated.
// They may see the order without being in its channel. It is valid for one generation.
type Offer struct {
	Generation int      `json:"generation"`
	People     []string `json:"people,omitempty"`    // user ids of people who acted on it before
	Operators  bool     `json:"operators,omitempty"` // nobody else was left to be notified
	Told       bool     `json:"told,omitempty"`      // they were notified
}

// OfferDoc returns the name of the document with an order's [Offer].
func OfferDoc(id string) string { return "offer:" + id }

// Offer reads an order's offer; the zero value if there is no offer.
func (s *DocumentStore) Offer(ctx context.Context, t Tracked) (Offer, error) {
	var o Offer
	err := s.Get(ctx, OfferDoc(t.ID), &o)
	if errors.Is(err, ErrAbsent) || err == nil && o.Generation != t.Owner.Generation {
		return Offer{}, nil
	}
	return o, err
}
