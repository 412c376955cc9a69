package store

import (
	"context"

	"darkroom/order"
	"darkroom/store/kv"
	"darkroom/store/script"
)

// Intend leaves an intent on an order, in place of any other. It is no change:
// the version stays. Writes on one order share a lane, so only one is under way.
// Nobody acts on an order that was untracked: that is [ErrNotTracked].
func (s *Changes) Intend(ctx context.Context, id string, intent order.Intent) error {
	done, err := s.records.step(ctx, "intend", Tracked{ID: id}, script.Args{"intent": kv.Encode(intent)})
	if err == nil && done == kv.Stale {
		err = ErrNotTracked
	}
	return orderError(id, err)
}

// ClearIntent takes an intent back, after a refusal, if it is that job's own.
func (s *Changes) ClearIntent(ctx context.Context, id, job string) error {
	_, err := s.records.rewrite(ctx, id, func(old stored) (kv.Result, error) {
		if old.Intent == nil || old.Intent.Job != job {
			return kv.Written, nil
		}
		return s.records.step(ctx, "clear_intent", old.Tracked, script.Args{"intent": old.rawIntent})
	})
	return err
}
