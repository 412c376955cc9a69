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

// Move hands an order to another channel of its team, in one step: its generation grows,
// the new channel gets a card and a thread of its own with the event "moved" by actor
// and every event that the old one has not been told yet; the old channel's lane gets a
// job of [LeaveKind] if anything of ours is there. An order that is in that channel
// already stays as it is.
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

// Untrack ends a channel's ownership: the event "untracked" by actor is announced, then
// nothing more; the order is in no list and is found by no name. See [Tracked.Untracked]. An
// order that has left already stays as it is.
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

// eventOf is an event that no answer of the service shows; what makes its id unique.
func eventOf(old stored, kind order.EventKind, what, actor string) order.Event {
	return order.Event{
		ID: string(kind) + ":" + what, Kind: kind, Actor: actor, Order: order.Trim(old.Order, kind), At: time.Now(),
	}
}
