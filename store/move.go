package store

import (
	"context"
	"fmt"
	"time"

	"darkroom/order"
	"darkroom/store/queue"
)

var moveScript = newScript("move", courseLua, leaveLua)

// moveArgs are the argument of move.lua.
type moveArgs struct {
	ID         string        `json:"id"`
	Version    int64         `json:"version,string"` // that must hold
	Card       string        `json:"card"`           // timestamp of the card that must hold; "": none
	From       string        `json:"from"`           // the old channel
	To         string        `json:"to"`             // the new one
	Generation int           `json:"generation,string"`
	OrderedAt  int64         `json:"ordered_at,string"` // ms
	Active     string        `json:"active"`            // entry among the active orders; "": not active
	Event      eventArgs     `json:"event"`
	Announce   queue.PutArgs `json:"announce"`
	Leave      queue.PutArgs `json:"leave"`
}

// Move hands an order to another channel of its team, in one step: its generation grows,
// the new channel gets a card and a thread of its own with the event "moved" by actor
// and every event that the old one has not been told yet; the old channel's lane gets a
// job of [LeaveKind] if anything of ours is there. An order that is in that channel
// already stays as it is.
func (s *Store) Move(ctx context.Context, id, channel, actor string) (Tracked, error) {
	return s.rewrite(ctx, id, func(old stored) (result, error) {
		switch {
		case old.Untracked:
			return stale, ErrNotTracked
		case old.Owner.Channel == channel:
			return written, nil
		}
		return s.move(ctx, old.Tracked, channel, actor)
	})
}

func (s *Store) move(ctx context.Context, old Tracked, channel, actor string) (result, error) {
	next := old
	next.Version++
	next.Owner.Generation++
	next.Owner.Channel = channel
	e := order.Event{
		ID: fmt.Sprintf("moved:g%d", next.Owner.Generation), Kind: order.EventMoved, Actor: actor,
		Order: order.Trim(old.Order, order.EventMoved), At: time.Now(),
	}
	keys := append(recordKeys(old.ID), ownerKeys(old.Owner)...)
	keys = append(keys, channelKey(old.Owner.Team, channel), threadKey(old.Owner.Team, old.Owner.Channel, old.CardTS))
	code, err := s.run(ctx, moveScript, keys, moveArgs{
		ID: old.ID, Version: old.Version, Card: old.CardTS, From: old.Owner.Channel, To: channel,
		Generation: next.Owner.Generation, OrderedAt: orderedAt(old.Order).UnixMilli(), Active: activeEntry(next),
		Event:    newEventArgs(e),
		Announce: s.queue.PutArgs(announceJob(next, fmt.Sprintf("v%d", next.Version))),
		Leave:    s.queue.PutArgs(leaveJob(old)),
	})
	return result(code), err
}
