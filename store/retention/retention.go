package retention

import (
	"context"
	"errors"
	"fmt"
	"time"

	"darkroom/store"
	"darkroom/store/kv"
	"darkroom/store/queue"
	"darkroom/store/script"
)

// Policy says how long finished orders are kept: closed, canceled, untracked, or gone at the service. Any later
// change starts the time again.
type Policy struct {
	Full time.Duration // in full; then they shrink to the data of lists, reports and the history
	For  time.Duration // until they are deleted, dead jobs too; 0: for ever
}

// FullFor is how long a finished order is kept in full: people still look at its pictures. By then
// the jobs that read it before have ended.
const FullFor = 7 * 24 * time.Hour

// retentionBatch is how many orders one ApplyRetention shrinks, and how many it deletes.
const retentionBatch = 20

// retentionLook is the longest time between two calls of ApplyRetention: dead jobs expire, too.
const retentionLook = 24 * time.Hour

// putOffFor is when an order that could not be shrunk or deleted is tried again.
const putOffFor = time.Hour

// Retirement shrinks and deletes finished orders.
type Retirement struct {
	db     kv.DB
	queue  *queue.Queue
	orders *store.Orders
}

// NewRetirement returns the retirement of a store's orders.
func NewRetirement(s *store.Store) *Retirement {
	return &Retirement{s.DB(scripts), s.Queue(), s.Orders}
}

// ApplyRetention shrinks some of the orders that were kept in full long enough, and deletes some whose
// time is over. Each order is one atomic step with all its indexes, so that ApplyRetention may be
// interrupted, and run twice at once. A failure does not stop the other orders. All times are by the clock
// of Redis. It returns the time until the next order is due, a day at most; 0 if some are due now.
func (s *Retirement) ApplyRetention(ctx context.Context, keep Policy) (next time.Duration, err error) {
	if keep.For > 0 {
		keep.Full = min(keep.Full, keep.For)
	}
	full, over, next, err := s.due(ctx, keep)
	if err != nil {
		return 0, fmt.Errorf("finished orders: %w", err)
	}
	errs := []error{
		s.retire(ctx, "finished", full, putOffFor-keep.Full, s.shrink),
		s.retire(ctx, "shrunk", over, putOffFor-keep.For, s.delete),
	}
	if keep.For > 0 {
		errs = append(errs, s.queue.DeadLetters().Forget(ctx, keep.For, retentionBatch))
	}
	return next, errors.Join(errs...)
}

// retiring shrinks or deletes a due order; on failure the order is tried again after later.
type retiring func(ctx context.Context, old store.Tracked, later time.Duration) error

// retire calls do for the due orders of a list. It takes missing orders off the list, and puts
// unreadable ones off, so that they do not block others.
func (s *Retirement) retire(ctx context.Context, list string, due []string, later time.Duration, do retiring) error {
	var errs []error
	for _, id := range due {
		old, err := s.orders.Order(ctx, id)
		switch {
		case errors.Is(err, store.ErrNotTracked):
			err = s.forgetFinished(ctx, id)
		case err != nil:
			err = errors.Join(err, s.putOff(ctx, list, id, later))
		default:
			err = do(ctx, old, later)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// due returns the orders to shrink, the orders to delete, and the time until the next one is due.
func (s *Retirement) due(ctx context.Context, keep Policy) (full, over []string, next time.Duration, err error) {
	keys := script.Keys{"finished": s.db.Key("finished"), "shrunk": s.db.Key("shrunk")}
	args := script.Args{"full": keep.Full, "keep": keep.For, "most": retentionBatch, "longest": retentionLook}
	values, err := s.db.Script(ctx, "due", keys, args).Slice()
	if err != nil {
		return nil, nil, 0, err
	}
	ms, _ := values[2].(int64)
	return texts(values[0]), texts(values[1]), time.Duration(ms) * time.Millisecond, nil
}

// texts decodes a list in the answer of a script.
func texts(value any) []string {
	list, _ := value.([]any)
	all := make([]string, len(list))
	for i, text := range list {
		all[i], _ = text.(string)
	}
	return all
}

// putOff makes an order of a list due again after by.
func (s *Retirement) putOff(ctx context.Context, list, id string, by time.Duration) error {
	_, err := s.db.Run(ctx, "put_off", script.Keys{"list": s.db.Key(list)}, script.Args{"id": id, "by": by})
	return err
}

// forgetFinished takes the id of a missing order off the lists of finished orders.
func (s *Retirement) forgetFinished(ctx context.Context, id string) error {
	finished, shrunk := s.db.Redis.ZRem(ctx, s.db.Key("finished"), id), s.db.Redis.ZRem(ctx, s.db.Key("shrunk"), id)
	return kv.About("order", id, errors.Join(finished.Err(), shrunk.Err()))
}

// delete deletes an order with all its indexes: it is as if its channel had never owned it. An
// order that is not announced completely is put off.
func (s *Retirement) delete(ctx context.Context, old store.Tracked, later time.Duration) error {
	_, err := s.step(ctx, "delete", old, script.Args{"later": later, "channel": old.Owner.Channel})
	return kv.About("order", old.ID, err)
}

// step runs a script on an order of that version, with its keys.
func (s *Retirement) step(ctx context.Context, name string, t store.Tracked, args script.Args) (int, error) {
	args["id"], args["version"] = t.ID, t.Version
	return s.db.Run(ctx, name, s.orders.Keys(t), args)
}
