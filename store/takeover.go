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

// ErrTaken says that an order is no longer that of the person from whom it was to be taken over.
var ErrTaken = errors.New("somebody else has taken it over")

// TakeOver makes an order that was asked for by one person another's, in one step: the event "taken" by the
// other is announced, and what concerns the requester concerns them from then on. Of several who take it over
// at once one gets it, the others [ErrTaken] with the order as it is then. Whose it is already keeps it.
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
	keys["heir_orders"] = s.db.Key("requester", old.Owner.Team, to)
	code, err := s.db.Run(ctx, "take_over", keys, script.Args{
		"id": old.ID, "version": old.Version, "from": old.Owner.Requester, "to": to,
		"ordered_at": orderedAt(old.Order).UnixMilli(), "active": activeEntry(next),
		"event":    eventArgs(eventOf(old, order.EventTaken, fmt.Sprintf("v%d", next.Version), to)),
		"announce": s.records.queue.PutArgs(ctx, announceJob(next, fmt.Sprintf("v%d", next.Version))), "poll": s.records.polls.WakeArgs(tenants.PollJob()),
	})
	return kv.Result(code), err
}

// Offer is to whom an order was offered whose channel is out of reach and whose requester is gone: they may see
// it although its channel shows them nothing. It counts for one generation.
type Offer struct {
	Generation int      `json:"generation"`
	People     []string `json:"people,omitempty"`    // user ids, of those who did something to it before
	Operators  bool     `json:"operators,omitempty"` // nobody else was left to be told
	Told       bool     `json:"told,omitempty"`      // they know
}

// OfferNote is the name of the note that keeps an order's [Offer].
func OfferNote(id string) string { return "offer:" + id }

// Offer reads to whom an order was offered; the zero value when it was to nobody.
func (s *DocumentStore) Offer(ctx context.Context, t Tracked) (Offer, error) {
	var o Offer
	err := s.Get(ctx, OfferNote(t.ID), &o)
	if errors.Is(err, ErrAbsent) || err == nil && o.Generation != t.Owner.Generation {
		return Offer{}, nil
	}
	return o, err
}
