package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
)

// Keep says how long orders that can change no more are kept: closed, canceled, untracked,
// or gone at the service. Their time begins anew with whatever still happens to them.
type Keep struct {
	Full time.Duration // with everything; then they shrink to what lists, reports and the history need
	For  time.Duration // at all, and dead jobs with them; 0: for ever
}

// FullFor is how long an order that can change no more is kept with everything: people still
// look at its pictures, and the jobs that knew it have long ended.
const FullFor = 7 * 24 * time.Hour

// tendBatch is how many orders one Tend shrinks, and how many it lets go.
const tendBatch = 20

// putOffFor is when an order is looked at again that could not be tended.
const putOffFor = time.Hour

// Tend shrinks some of the orders that have been kept in full long enough, lets some go whose
// time is over, and looks at some of all orders in case one was never noted as finished.
// Each order is one atomic step with all its indexes, so that Tend may be cut off anywhere,
// and run twice at once; one's failure does not stop the others. When nothing is due it
// writes nothing. All times are by the clock of Redis.
func (s *Store) Tend(ctx context.Context, keep Keep) error {
	if keep.For > 0 {
		keep.Full = min(keep.Full, keep.For)
	}
	d, err := s.due(ctx, keep)
	if err != nil {
		return fmt.Errorf("finished orders: %w", err)
	}
	var errs []error
	for _, id := range d.full {
		errs = append(errs, s.shrink(ctx, id, putOffFor-keep.Full))
	}
	for _, id := range d.over {
		errs = append(errs, s.letGo(ctx, id, putOffFor-keep.For))
	}
	errs = append(errs, s.walk(ctx, d.walked))
	if keep.For > 0 {
		errs = append(errs, s.queue.Forget(ctx, keep.For, tendBatch))
	}
	return errors.Join(errs...)
}

var dueScript = newScript("due", timeLua)

// dueArgs are the argument of due.lua.
type dueArgs struct {
	Full int64 `json:"full,string"` // ms that orders are kept in full
	Keep int64 `json:"keep,string"` // ms that they are kept; 0: for ever
	Most int   `json:"most,string"`
}

// due is what there is to tend.
type due struct {
	full, over []string // ids of orders: to shrink, to let go
	walked     string   // how far the daily look has come
}

func (s *Store) due(ctx context.Context, keep Keep) (due, error) {
	keys := []string{finishedKey(), shrunkKey(), walkKey()}
	values, err := s.script(ctx, dueScript, keys, dueArgs{keep.Full.Milliseconds(), keep.For.Milliseconds(), tendBatch}).Slice()
	if err != nil {
		return due{}, err
	}
	var d due
	for i, ids := range []*[]string{&d.full, &d.over} {
		found, _ := values[i].([]any)
		for _, id := range found {
			if id, ok := id.(string); ok {
				*ids = append(*ids, id)
			}
		}
	}
	d.walked, _ = values[2].(string)
	return d, nil
}

// finishedKeys are the KEYS with which the scripts begin that shrink an order or let it go.
func (s *Store) finishedKeys(id string) []string {
	return []string{
		orderKey(id), eventsKey(id), eventIDsKey(id), laggingKey(), finishedKey(), shrunkKey(), snapshotKey(id),
		s.queue.LaneKey("order:" + id),
	}
}

var putOffScript = newScript("put_off", timeLua, finishedLua)

// putOffArgs are the argument of put_off.lua.
type putOffArgs struct {
	ID string `json:"id"`
	By int64  `json:"by,string"` // ms
}

// putOff gives an order that could not be tended another time to be looked at.
func (s *Store) putOff(ctx context.Context, in, id string, by time.Duration) error {
	return s.script(ctx, putOffScript, []string{in}, putOffArgs{id, by.Milliseconds()}).Err()
}

// forgetFinished takes an id off the lists of finished orders: there is no such order.
func (s *Store) forgetFinished(ctx context.Context, id string) error {
	_, err := s.rdb.Pipelined(ctx, func(p redis.Pipeliner) error {
		p.ZRem(ctx, finishedKey(), id)
		p.ZRem(ctx, shrunkKey(), id)
		return nil
	})
	return orderError(id, err)
}
