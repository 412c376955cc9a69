package store

import (
	"context"
	"fmt"
	"time"

	"darkroom/order"
	"darkroom/store/kv"
	"darkroom/store/script"
	"darkroom/store/tenants"
)

// Move hands an order to another channel of its team, in one step, and raises its generation.
// The new channel gets a card and a thread. The thread has the event "moved" by actor, and the
// events that the old channel does not show yet. The old channel's lane gets a job of [LeaveKind]
// if the app posted anything there. An order that is in that channel already stays as it is.
func (s *Changes) Move(ctx context.Context, id, channel, actor string) (Tracked, error) {
	return s.records.rewrite(ctx, id, func(old stored) (kv.Result, error) {
		switch {
		case old.Untracked:
			return kv.Stale, ErrNotTracked
		case old.Owner.Channel == channel:
			return kv.Written, nil
		}
		next := old.Tracked
		next.Version++
		next.Owner.Generation++
		next.Owner.Channel = channel
		keys := s.records.keys(old.Tracked)
		keys["new_orders"] = s.db.Key("channel", old.Owner.Team, channel)
		code, err := s.db.Run(ctx, "move", keys, script.Args{
			"id": id, "version": old.Version, "card": old.CardTS, "from": old.Owner.Channel, "to": channel,
			"spending": old.spendingArgs(), "generation": next.Owner.Generation, "ordered_at": orderedAt(old.Order).UnixMilli(), "active": activeEntry(next),
			"event":    eventArgs(eventOf(old, order.EventMoved, fmt.Sprintf("g%d", next.Owner.Generation), actor)),
			"announce": s.records.queue.PutArgs(ctx, announceJob(next, fmt.Sprintf("v%d", next.Version))), "poll": s.records.polls.WakeArgs(tenants.PollJob()),
			"leave": s.records.queue.PutArgs(ctx, leaveJob(old.Tracked)),
		})
		return kv.Result(code), err
	})
}

// Untrack ends a channel's ownership. The event "untracked" by actor is the last one that is
// announced; then no list and no look-up has the order. See [Tracked.Untracked]. An
// untracked order stays as it is.
func (s *Changes) Untrack(ctx context.Context, id, actor string) (Tracked, error) {
	return s.records.rewrite(ctx, id, func(old stored) (kv.Result, error) {
		if old.Untracked {
			return kv.Written, nil
		}
		next := old.Tracked
		next.Version++
		return s.records.step(ctx, "untrack", old.Tracked, script.Args{
			"channel": old.Owner.Channel, "spending": old.spendingArgs(),
			"event":    eventArgs(eventOf(old, order.EventUntracked, fmt.Sprintf("g%d", old.Owner.Generation), actor)),
			"announce": s.records.queue.PutArgs(ctx, announceJob(next, fmt.Sprintf("v%d", next.Version))), "poll": s.records.polls.WakeArgs(tenants.PollJob()),
		})
	})
}

// eventOf returns an event that does not come from an answer of the service; what makes its id unique.
func eventOf(old stored, kind order.EventKind, what, actor string) order.Event {
	return order.Event{
		ID: string(kind) + ":" + what, Kind: kind, Actor: actor, Order: order.Trim(old.Order, kind), At: time.Now(),
	}
}
