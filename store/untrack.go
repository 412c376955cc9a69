package store

import (
	"context"
	"fmt"
	"time"

	"darkroom/order"
	"darkroom/store/queue"
)

var untrackScript = newScript("untrack", courseLua)

// untrackArgs are the argument of untrack.lua.
type untrackArgs struct {
	ID       string        `json:"id"`
	Version  int64         `json:"version,string"` // that must hold
	Channel  string        `json:"channel"`
	Event    eventArgs     `json:"event"`
	Announce queue.PutArgs `json:"announce"`
}

// Untrack ends a channel's ownership: the event "untracked" by actor is announced, then
// nothing more; the order is in no list and is found by no name. See [Tracked.Untracked]. An
// order that has left already stays as it is.
func (s *Store) Untrack(ctx context.Context, id, actor string) (Tracked, error) {
	return s.rewrite(ctx, id, func(old stored) (result, error) {
		if old.Untracked {
			return written, nil
		}
		return s.untrack(ctx, old.Tracked, actor)
	})
}

func (s *Store) untrack(ctx context.Context, old Tracked, actor string) (result, error) {
	next := old
	next.Version++
	e := order.Event{
		ID: fmt.Sprintf("untracked:g%d", old.Owner.Generation), Kind: order.EventUntracked, Actor: actor,
		Order: order.Trim(old.Order, order.EventUntracked), At: time.Now(),
	}
	code, err := s.run(ctx, untrackScript, append(recordKeys(old.ID), ownerKeys(old.Owner)...), untrackArgs{
		ID: old.ID, Version: old.Version, Channel: old.Owner.Channel, Event: newEventArgs(e),
		Announce: s.queue.PutArgs(announceJob(next, fmt.Sprintf("v%d", next.Version))),
	})
	return result(code), err
}
