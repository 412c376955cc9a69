package store

import (
	"context"
	"embed"

	"github.com/redis/go-redis/v9"

	"darkroom/store/queue"
	"darkroom/store/script"
)

//go:embed lua/*.lua lua/shared/*.lua
var luaFiles embed.FS

var scripts = script.Load(luaFiles, queue.Lua)

// run runs a script that answers with one whole number.
func (s *Store) run(ctx context.Context, name string, keys script.Keys, args script.Args) (int, error) {
	return scripts.Run(ctx, s.rdb, name, keys, args).Int()
}

// stepCmd runs a script on an order, with its keys; the order's id and the version that must hold
// are added to its arguments.
func (s *Store) stepCmd(ctx context.Context, name string, t Tracked, args script.Args) *redis.Cmd {
	args["id"], args["version"] = t.ID, t.Version
	return scripts.Run(ctx, s.rdb, name, s.orderKeys(t), args)
}

// step is stepCmd for a script that answers with a [result].
func (s *Store) step(ctx context.Context, name string, t Tracked, args script.Args) (result, error) {
	code, err := s.stepCmd(ctx, name, t, args).Int()
	return result(code), err
}

// maxConflicts bounds how often a step is done again because somebody else was faster: each
// time one of them gets through. In an order's lane that happens once or twice.
const maxConflicts = 20

// What became of a step that was read, thought about and then written, if nobody was first.
type result int

const (
	stale   result = iota // another version, or no such order
	written               // as it was meant
	raced                 // only what goes along with the order is another than it was: look again
)

// retryOnConflict does a step again, from its reading on, until it is written. When others
// are always faster it returns gaveUp.
func retryOnConflict(gaveUp error, step func() (result, error)) error {
	for range maxConflicts {
		if result, err := step(); err != nil || result == written {
			return err
		}
	}
	return gaveUp
}

// rewrite reads an order and does a step on it, again as long as somebody else changes the
// order between its reading and its writing. It returns the order as it is then.
func (s *Store) rewrite(ctx context.Context, id string, step func(old stored) (result, error)) (Tracked, error) {
	err := retryOnConflict(orderError(id, ErrStale), func() (result, error) {
		old, err := s.load(ctx, id)
		if err != nil {
			return stale, err
		}
		result, err := step(old)
		return result, orderError(id, err)
	})
	if err != nil {
		return Tracked{}, err
	}
	return s.Order(ctx, id)
}
