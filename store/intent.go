package store

import (
	"context"

	"darkroom/order"
)

var (
	intendScript      = newScript("intend")
	clearIntentScript = newScript("clear_intent")
)

// intentArgs are the argument of intend.lua and of clear_intent.lua.
type intentArgs struct {
	Intent string `json:"intent"`
}

// Intend leaves an intent on an order, in place of any other. It is no change:
// the version stays. Writes on one order share a lane, so only one is under way.
// Nobody acts on an order that was untracked: that is [ErrNotTracked].
func (s *Store) Intend(ctx context.Context, id string, intent order.Intent) error {
	code, err := s.run(ctx, intendScript, []string{orderKey(id)}, intentArgs{encode(intent)})
	if err == nil && code == 0 {
		err = ErrNotTracked
	}
	return orderError(id, err)
}

// ClearIntent takes an intent back, after a refusal, if it is that job's own.
func (s *Store) ClearIntent(ctx context.Context, id, job string) error {
	return retryOnConflict(orderError(id, ErrStale), func() (result, error) {
		o, err := s.load(ctx, id)
		if err != nil {
			return stale, err
		}
		if o.Intent == nil || o.Intent.Job != job {
			return written, nil
		}
		code, err := s.run(ctx, clearIntentScript, []string{orderKey(id)}, intentArgs{o.rawIntent})
		return result(code), orderError(id, err)
	})
}
