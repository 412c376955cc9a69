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

// due is what there is to tend.
type due struct {
	full, over []string // ids of orders: to shrink, to let go
	walked     string   // how far the daily look has come
}

func (s *Store) due(ctx context.Context, keep Keep) (due, error) {
	keys := []string{finishedKey(), shrunkKey(), walkKey()}
	values, err := dueScript.Run(ctx, s.rdb, keys, keep.Full.Milliseconds(), keep.For.Milliseconds(), tendBatch).Slice()
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

// finishedKeys are the KEYS of finishedLua.
func (s *Store) finishedKeys(id string) []string {
	return []string{
		orderKey(id), eventsKey(id), eventIDsKey(id), laggingKey(), finishedKey(), shrunkKey(), snapshotKey(id),
		s.queue.LaneKey("order:" + id),
	}
}

// putOff gives an order that could not be tended another time to be looked at.
func (s *Store) putOff(ctx context.Context, in, id string, by time.Duration) error {
	return putOffScript.Run(ctx, s.rdb, []string{in}, id, by.Milliseconds()).Err()
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

// KEYS: 1 the finished orders, 2 the shrunk ones, 3 the walk. ARGV: 1 ms that orders are kept
// in full, 2 ms that they are kept, 0 for ever, 3 how many at most. Returns the ids to shrink,
// those to let go, and the walk. It writes nothing.
var dueScript = redis.NewScript(`
local t = redis.call('TIME')
local now, over = t[1] * 1000 + math.floor(t[2] / 1000), {}
local full = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[1], 'LIMIT', 0, ARGV[3])
if tonumber(ARGV[2]) > 0 then
  over = redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now - ARGV[2], 'LIMIT', 0, ARGV[3])
end
return {full, over, redis.call('GET', KEYS[3]) or ''}
`)

// KEYS: 1 the list. ARGV: 1 order id, 2 ms from now. Returns 0 or 1.
var putOffScript = redis.NewScript(`
local t = redis.call('TIME')
return redis.call('ZADD', KEYS[1], 'XX', t[1] * 1000 + math.floor(t[2] / 1000) + ARGV[2], ARGV[1])
`)

// finishedLua begins the scripts that shrink an order or let it go. KEYS: 1 order, 2 its
// events, 3 their ids, 4 the lagging orders, 5 the finished ones, 6 the shrunk ones, 7 the
// snapshot, 8 the lane of jobs on the order.
const finishedLua = `
local order, finished, shrunk = KEYS[1], KEYS[5], KEYS[6]

-- idle(id) says that the channel was told all and that no job on the order waits.
local function idle(id)
  local h = redis.call('HMGET', order, 'announced', 'last_event', 'posting')
  return tonumber(h[1] or 0) >= tonumber(h[2] or 0) and not h[3]
    and redis.call('SISMEMBER', KEYS[4], id) == 0 and redis.call('EXISTS', KEYS[8]) == 0
end

-- put_off(list, id, ms) has it looked at again, that long from now.
local function put_off(list, id, ms)
  local t = redis.call('TIME')
  redis.call('ZADD', list, 'XX', t[1] * 1000 + math.floor(t[2] / 1000) + ms, id)
end

-- rest(id) has it wait for its time to leave, which goes on.
local function rest(id)
  local since = redis.call('ZSCORE', finished, id)
  if since then redis.call('ZADD', shrunk, since, id) end
  redis.call('ZREM', finished, id)
end
`
