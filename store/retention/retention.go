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
// change starts their time again.
type Policy struct {
	Full time.Duration // with everything; then they shrink to what lists, reports and the history need
	For  time.Duration // at all, and dead jobs with them; 0: for ever
}

// FullFor is how long an order that can change no more is kept with everything: people still
// look at its pictures, and the jobs that knew it have long ended.
const FullFor = 7 * 24 * time.Hour

// retentionBatch is how many orders one ApplyRetention shrinks, and how many it deletes.
const retentionBatch = 20

// retentionLook is how long nobody looks at most: dead jobs have their time, too.
const retentionLook = 24 * time.Hour

// putOffFor is when an order is looked at again that could not be shrunk or deleted.
const putOffFor = time.Hour

// Retirement shrinks and deletes finished orders.
type Retirement struct {
	db     kv.DB
	queue  *queue.Queue
	orders *store.Orders
}

// NewRetirement retires the orders of a store.
func NewRetirement(s *store.Store) *Retirement {
	return &Retirement{s.DB(scripts), s.Queue(), s.Orders}
}

// ApplyRetention shrinks some of the orders that have been kept in full long enough, and deletes some whose
// time is over.
// Each order is one atomic step with all its indexes, so that ApplyRetention may be cut off anywhere,
// and run twice at once; one's failure does not stop the others. When nothing is due it
// writes nothing. All times are by the clock of Redis. It returns how long it is until the next order is due, a day at most: 0 when some are due now.
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

// retiring is what is done with an order whose time on a list is over; when it cannot be done yet,
// the order is looked at again that much later.
type retiring func(ctx context.Context, old store.Tracked, later time.Duration) error

// retire does it with the orders of a list that are due. One that is no more is taken off the list,
// one that cannot be read is put off: others come before it that can.
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

// due returns the orders to shrink and those to delete, and how long it is until the next one.
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

// texts reads a list in the answer of a script.
func texts(value any) []string {
	list, _ := value.([]any)
	all := make([]string, len(list))
	for i, text := range list {
		all[i], _ = text.(string)
	}
	return all
}

// putOff gives an order that could not be shrunk or deleted another time to be looked at.
func (s *Retirement) putOff(ctx context.Context, list, id string, by time.Duration) error {
	_, err := s.db.Run(ctx, "put_off", script.Keys{"list": s.db.Key(list)}, script.Args{"id": id, "by": by})
	return err
}

// forgetFinished takes an id off the lists of finished orders: there is no such order.
func (s *Retirement) forgetFinished(ctx context.Context, id string) error {
	finished, shrunk := s.db.Redis.ZRem(ctx, s.db.Key("finished"), id), s.db.Redis.ZRem(ctx, s.db.Key("shrunk"), id)
	return kv.About("order", id, errors.Join(finished.Err(), shrunk.Err()))
}

// delete forgets an order for good, with all that leads to it: it is as if its channel had
// never owned it. One that still owes its channel something is put off.
func (s *Retirement) delete(ctx context.Context, old store.Tracked, later time.Duration) error {
	_, err := s.step(ctx, "delete", old, script.Args{"later": later, "channel": old.Owner.Channel})
	return kv.About("order", old.ID, err)
}

// step runs a script on an order of that version, with its keys.
func (s *Retirement) step(ctx context.Context, name string, t store.Tracked, args script.Args) (int, error) {
	args["id"], args["version"] = t.ID, t.Version
	return s.db.Run(ctx, name, s.orders.Keys(t), args)
}
