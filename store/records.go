package store

import (
	"context"
	"embed"

	"github.com/redis/go-redis/v9"

	"darkroom/store/kv"
	"darkroom/store/queue"
	"darkroom/store/script"
)

// Lua has the scripts of the store, and what scripts of other packages may use of them.
//
//go:embed lua/*.lua lua/shared/*.lua
var Lua embed.FS

var scripts = script.Load(Lua, queue.Lua)

// part is what a part of the store has that works on orders.
type part struct {
	db      kv.DB
	records *records
}

// records reads and writes the records of orders. Its methods are the steps that all parts share.
type records struct {
	db           kv.DB
	queue, polls *queue.Queue
}

// stepCmd runs a script on an order, with its keys; the order's id and the version that must hold
// are added to its arguments.
func (s *records) stepCmd(ctx context.Context, name string, t Tracked, args script.Args) *redis.Cmd {
	args["id"], args["version"] = t.ID, t.Version
	return s.db.Script(ctx, name, s.keys(t), args)
}

// step is stepCmd for a script that answers with a [result].
func (s *records) step(ctx context.Context, name string, t Tracked, args script.Args) (kv.Result, error) {
	code, err := s.stepCmd(ctx, name, t, args).Int()
	return kv.Result(code), err
}

// rewrite reads an order and does a step on it, again as long as somebody else changes the
// order between its reading and its writing. It returns the order as it is then.
func (s *records) rewrite(ctx context.Context, id string, step func(old stored) (kv.Result, error)) (Tracked, error) {
	err := kv.RetryOnConflict(orderError(id, ErrStale), func() (kv.Result, error) {
		old, err := s.load(ctx, id)
		if err != nil {
			return kv.Stale, err
		}
		result, err := step(old)
		return result, orderError(id, err)
	})
	if err != nil {
		return Tracked{}, err
	}
	return s.order(ctx, id)
}
