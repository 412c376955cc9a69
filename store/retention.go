package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"darkroom/store/keyspace"
	"darkroom/store/queue"
	"darkroom/store/script"
)

// Retention says how long orders that can change no more are kept: closed, canceled, untracked,
// or gone at the service. Their time begins anew with whatever still happens to them.
type Retention struct {
	Full time.Duration // with everything; then they shrink to what lists, reports and the history need
	For  time.Duration // at all, and dead jobs with them; 0: for ever
}

// FullFor is how long an order that can change no more is kept with everything: people still
// look at its pictures, and the jobs that knew it have long ended.
const FullFor = 7 * 24 * time.Hour

// retentionBatch is how many orders one ApplyRetention shrinks, and how many it deletes.
const retentionBatch = 20

// putOffFor is when an order is looked at again that could not be shrunk or deleted.
const putOffFor = time.Hour

// ApplyRetention shrinks some of the orders that have been kept in full long enough, deletes some whose
// time is over, and looks at some of all orders in case one was never noted as finished.
// Each order is one atomic step with all its indexes, so that ApplyRetention may be cut off anywhere,
// and run twice at once; one's failure does not stop the others. When nothing is due it
// writes nothing. All times are by the clock of Redis. It says whether there is more to do.
func (s *Store) ApplyRetention(ctx context.Context, keep Retention) (more bool, err error) {
	if keep.For > 0 {
		keep.Full = min(keep.Full, keep.For)
	}
	full, over, cursor, err := s.due(ctx, keep)
	if err != nil {
		return false, fmt.Errorf("finished orders: %w", err)
	}
	if !s.mayBeOlder() {
		cursor = scanDone
	}
	errs := []error{
		s.retire(ctx, "finished", full, putOffFor-keep.Full, s.shrink),
		s.retire(ctx, "shrunk", over, putOffFor-keep.For, s.delete),
		s.scanUnnoted(ctx, cursor),
	}
	if keep.For > 0 {
		errs = append(errs, s.queue.Forget(ctx, keep.For, retentionBatch))
	}
	more = len(full) == retentionBatch || len(over) == retentionBatch || cursor != scanDone
	return more, errors.Join(errs...)
}

// retiring is what is done with an order whose time on a list is over; when it cannot be done yet,
// the order is looked at again that much later.
type retiring func(ctx context.Context, old stored, later time.Duration) error

// retire does it with the orders of a list that are due. One that is no more is taken off the list,
// one that cannot be read is put off: others come before it that can.
func (s *Store) retire(ctx context.Context, list string, due []string, later time.Duration, do retiring) error {
	var errs []error
	for _, id := range due {
		old, err := s.load(ctx, id)
		switch {
		case errors.Is(err, ErrNotTracked):
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

// due returns the orders to shrink and those to delete, and the cursor of the daily look at all.
func (s *Store) due(ctx context.Context, keep Retention) (full, over []string, cursor string, err error) {
	keys := script.Keys{"finished": s.key("finished"), "shrunk": s.key("shrunk"), "walk": s.key("walk")}
	args := script.Args{"full": keep.Full, "keep": keep.For, "most": retentionBatch}
	values, err := scripts.Run(ctx, s.rdb, "due", keys, args).Slice()
	if err != nil {
		return nil, nil, "", err
	}
	cursor, _ = values[2].(string)
	return texts(values[0]), texts(values[1]), cursor, nil
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
func (s *Store) putOff(ctx context.Context, list, id string, by time.Duration) error {
	_, err := s.run(ctx, "put_off", script.Keys{"list": s.key(list)}, script.Args{"id": id, "by": by})
	return err
}

// forgetFinished takes an id off the lists of finished orders: there is no such order.
func (s *Store) forgetFinished(ctx context.Context, id string) error {
	finished, shrunk := s.rdb.ZRem(ctx, s.key("finished"), id), s.rdb.ZRem(ctx, s.key("shrunk"), id)
	return orderError(id, errors.Join(finished.Err(), shrunk.Err()))
}

// delete forgets an order for good, with all that leads to it: it is as if its channel had
// never owned it. One that still owes its channel something is put off.
func (s *Store) delete(ctx context.Context, old stored, later time.Duration) error {
	_, err := s.step(ctx, "delete", old.Tracked, script.Args{"later": later, "channel": old.Owner.Channel})
	return orderError(old.ID, err)
}

// Once a day all orders are scanned, a page each time that ApplyRetention is called, and those are noted as
// finished that no step has noted: an order that closed under an older version of ours, or while
// one still ran beside this. Nobody else finds them: they are not active. One that can still change
// is made active again: older versions gave up for good what was gone.
const (
	scanPage = 500
	scanLife = 24 * time.Hour
	scanDone = "done"
)

// mayBeOlder says that a version may have written orders here that noted none as finished: all that did knew the default
// keyspace alone. A scan goes through all keys of its node: one for each of ten thousand workspaces would be too much.
func (s *Store) mayBeOlder() bool {
	space := s.queue.Keyspace()
	return space == keyspace.Keyspace{} || space == keyspace.New(keyspace.Default)
}

// scanUnnoted goes on from where the last call came to; "" begins anew.
func (s *Store) scanUnnoted(ctx context.Context, from string) error {
	if from == scanDone {
		return nil
	}
	cursor, err := strconv.ParseUint(cmp.Or(from, "0"), 10, 64)
	if err != nil {
		return fmt.Errorf("scan: %w", err)
	}
	node, err := s.node(ctx)
	if err != nil {
		return fmt.Errorf("scan: %w", err)
	}
	keys, next, err := node.Scan(ctx, cursor, s.key("order", "*"), scanPage).Result()
	if err != nil {
		return fmt.Errorf("scan: %w", err)
	}
	failed := s.noteAllFinished(ctx, keys)
	if ctx.Err() != nil || queue.Away(failed) {
		return failed // this page again
	}
	to := scanDone
	if next != 0 {
		to = strconv.FormatUint(next, 10)
	}
	return errors.Join(failed, s.rdb.Set(ctx, s.key("walk"), to, scanLife).Err())
}

// node is the one Redis that has our keys: a cluster's client would ask any.
func (s *Store) node(ctx context.Context) (redis.Cmdable, error) {
	if cluster, ok := clustered(s.rdb); ok {
		return cluster.MasterForKey(ctx, s.key("walk"))
	}
	return s.rdb, nil
}

// noteAllFinished notes those of the orders with these keys as finished that are.
func (s *Store) noteAllFinished(ctx context.Context, keys []string) error {
	if len(keys) == 0 {
		return nil
	}
	ids := make([]string, len(keys))
	for i, key := range keys {
		ids[i] = strings.TrimPrefix(key, s.key("order", ""))
	}
	active, err := s.rdb.HMGet(ctx, s.key("active"), ids...).Result()
	if err != nil {
		return err
	}
	var errs []error
	for i, id := range ids {
		if active[i] == nil {
			errs = append(errs, s.noteFinished(ctx, id))
		}
	}
	return errors.Join(errs...)
}

// noteFinished notes an order that is not active as finished, since when the service says, if it is.
func (s *Store) noteFinished(ctx context.Context, id string) error {
	o, err := s.load(ctx, id)
	if errors.Is(err, ErrNotTracked) {
		return nil
	}
	if err != nil {
		return err
	}
	if entry := activeEntry(o.Tracked); entry != "" {
		_, err := s.step(ctx, "keep_active", o.Tracked, script.Args{"active": entry})
		return orderError(id, err)
	}
	at := "" // now
	if since := cmp.Or(o.Order.ClosedAt, o.Order.CanceledAt); !since.IsZero() {
		at = strconv.FormatInt(since.UnixMilli(), 10)
	}
	_, err = s.step(ctx, "note_finished", o.Tracked, script.Args{"at": at})
	return orderError(id, err)
}
