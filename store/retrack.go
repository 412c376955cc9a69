package store

import (
	"cmp"
	"context"
	"fmt"

	"darkroom/order"
	"darkroom/store/queue"
)

var retrackScript = newScript("retrack", courseLua, hashLua, referenceLua, leaveLua)

// retrackArgs are the argument of retrack.lua.
type retrackArgs struct {
	placeArgs
	Version int64         `json:"version,string"` // that must hold
	Card    string        `json:"card"`           // timestamp of the card that must hold; "": none
	Leave   queue.PutArgs `json:"leave"`
}

// retrack takes an untracked order over again, as if it were new here: its course begins
// with the event "tracked", what happened before is not told to the new owner, and the
// conversation so far is old news. The messages of its last place are left tidy. It keeps
// its reference, its version and its events, and the generation grows.
func (s *Store) retrack(ctx context.Context, old stored, p Placement) (result, error) {
	t := old.again(p)
	e := p.event(t)
	e.ID = fmt.Sprintf("%s:g%d", order.EventTracked, t.Owner.Generation)
	keys := append(recordKeys(t.ID), ownerKeys(t.Owner)...)
	keys = append(keys, referenceKey(t.Reference), threadKey(old.Owner.Team, old.Owner.Channel, old.CardTS))
	code, err := s.run(ctx, retrackScript, keys, retrackArgs{
		placeArgs: placeArgs{
			Fields: newPlacedFields(t), OrderedAt: orderedAt(t.Order).UnixMilli(), Active: activeEntry(t),
			Event: newEventArgs(e), Announce: s.queue.PutArgs(announceJob(t, fmt.Sprintf("v%d", t.Version))),
		},
		Version: old.Version, Card: old.CardTS, Leave: s.queue.PutArgs(leaveJob(old.Tracked)),
	})
	return result(code), err
}

// again is an order that has left, under its new owner.
func (old stored) again(p Placement) Tracked {
	t := p.tracked()
	known := old.Order
	known.Conversation = nil
	t.Order = order.Merge(known, t.Order)
	t.Reference = cmp.Or(old.Reference, p.Reference)
	t.Images = cmp.Or(p.Images, old.Images)
	t.Version = old.Version + 1
	t.Owner.Generation = old.Owner.Generation + 1
	return t
}
