package store

import (
	"context"
	"errors"
	"time"
)

var letGoScript = newScript("let_go", timeLua, finishedLua, ownershipLua)

// letGoArgs are the argument of let_go.lua.
type letGoArgs struct {
	ID      string `json:"id"`
	Version int64  `json:"version,string"` // that must hold
	Later   int64  `json:"later,string"`   // ms by which one that is not idle is put off
	Channel string `json:"channel"`
}

// letGo forgets an order for good, with all that leads to it: it is as if its channel had
// never owned it. One that still owes its channel something is put off.
func (s *Store) letGo(ctx context.Context, id string, later time.Duration) error {
	old, err := s.load(ctx, id)
	if errors.Is(err, ErrNotTracked) {
		return s.forgetFinished(ctx, id)
	}
	if err != nil {
		return errors.Join(err, s.putOff(ctx, shrunkKey(), id, later))
	}
	keys := append(s.finishedKeys(id), activeKey())
	keys = append(keys, ownerKeys(old.Owner)...)
	keys = append(keys, threadKey(old.Owner.Team, old.Owner.Channel, old.CardTS), referenceKey(old.Reference))
	args := letGoArgs{ID: id, Version: old.Version, Later: later.Milliseconds(), Channel: old.Owner.Channel}
	return orderError(id, s.script(ctx, letGoScript, keys, args).Err())
}
