package store

import (
	"context"
	"embed"

	"github.com/redis/go-redis/v9"

	"darkroom/store/kv"
	"darkroom/store/queue"
	"darkroom/store/script"
)

// Lua has the scripts of the store, and the functions that scripts of other packages use.
//
//go:embed lua/*.lua lua/shared/*.lua
var Lua embed.FS

var scripts = script.Load(Lua, queue.Lua)

// part is the state of a part of the store that works on orders.
type part struct {
	db      kv.DB
	records *records
}

// records reads and writes the records of orders, for all parts.
type records struct {
	db           kv.DB
	queue, polls *queue.Queue
}

// stepCmd runs a script with the keys of an order. It adds the order's id and the expected version to
// the arguments.
func (s *records) stepCmd(ctx context.Context, name string, t Tracked, args script.Args) *redis.Cmd {
	args["id"], args["version"] = t.ID, t.Version
	return s.db.Script(ctx, name, s.keys(t), args)
}

// step is stepCmd for a script that answers with a [kv.Result].
func (s *records) step(ctx context.Context, name string, t Tracked, args script.Args) (kv.Result, error) {
	code, err := s.stepCmd(ctx, name, t, args).Int()
	return kv.Result(code), err
}

// rewrite reads an order and runs step on it. It repeats both while others change the order in
// between. It returns the order after the step.
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
