package queue

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

// promote gives the lanes that waited long enough their tokens back and moves
// later jobs that are due into their lanes. It returns how long until the next
// is due: 0 when more is due now, negative when nothing waits.
func (q *Queue) promote(ctx context.Context) (time.Duration, error) {
	ms, err := promoteScript.Run(ctx, q.rdb, q.keys(), q.key("")).Int64()
	if err != nil {
		return 0, errorf("schedule", "lanes", err)
	}
	return time.Duration(ms) * time.Millisecond, nil
}

// schedule brings back what waits, until ctx ends.
func (r *runner) schedule(ctx context.Context) {
	pause, lookEvery := newPause(), 2*r.q.o.Idle // bounds how late we notice what another process scheduled
	for ctx.Err() == nil {
		next, err := r.q.promote(ctx)
		r.outage.report(ctx, "schedule", err)
		switch {
		case err != nil:
			next = pause.NextBackOff()
		case next < 0 || next > lookEvery:
			next = lookEvery
		}
		if err == nil {
			pause.Reset()
		}
		r.sleep(ctx, next)
	}
}

// sleep waits for d, or less when something was scheduled in this process.
func (r *runner) sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-r.q.poke:
	case <-timer.C:
	}
}

// KEYS: 1 the stream. ARGV: 1 prefix. Returns the ms until something is due:
// 0 when it stopped with more to do, -1 when nothing waits.
var promoteScript = redis.NewScript(claimLua + `
local p, now, batch = ARGV[1], queue_now(), 100

local lanes = redis.call('ZRANGEBYSCORE', p .. 'waiting', '-inf', now, 'LIMIT', 0, batch)
for _, lane in ipairs(lanes) do
  redis.call('ZREM', p .. 'waiting', lane)
  if redis.call('HGET', p .. 'tokens', lane) == 'waiting' then queue_next(p, lane) end
end

local ids = redis.call('ZRANGEBYSCORE', p .. 'later', '-inf', now, 'LIMIT', 0, batch)
for _, id in ipairs(ids) do
  redis.call('ZREM', p .. 'later', id)
  local lane = redis.call('HGET', p .. 'job:' .. id, 'lane')
  if lane then queue_append(p, lane, id) end
end

if #lanes == batch or #ids == batch then return 0 end
local due = -1
for _, set in ipairs({'waiting', 'later'}) do
  local first = redis.call('ZRANGE', p .. set, 0, 0, 'WITHSCORES')
  if first[2] then
    local left = math.max(1, tonumber(first[2]) - now)
    if due < 0 or left < due then due = left end
  end
end
return due
`)
