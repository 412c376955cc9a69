package queue

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"
)

// Delivery is a job in the hands of a handler.
type Delivery struct {
	Job
	// Attempt is how many attempts failed before, from 0; waiting is no failure.
	Attempt int
	// Deliveries counts this and all earlier deliveries, from 1.
	Deliveries int
	// First says that nobody can have worked on the job before: this is its
	// first delivery, in the same run of Redis that accepted it. After a restart
	// of Redis, which may have forgotten a delivery, it is false.
	First bool
	// SameRun says that Redis has not restarted since it accepted the job: State
	// is all that was ever left. Otherwise the newest State may be forgotten.
	SameRun bool
	// PutAt is when the job was put, by the clock of Redis.
	PutAt time.Time
	// State is what [Delivery.SetState] left last; nil when nothing.
	State json.RawMessage

	q     *Queue
	claim claim

	claimedAt time.Time // by the clock of Redis
	since     time.Time // the same moment by ours, with its monotonic reading
}

// Now is the time by the clock of Redis, as far as this process can tell without asking: what
// one replica noted with it, another may compare with its own, however far apart their
// machines' clocks are. For a Delivery made by hand it is this machine's time.
func (d *Delivery) Now() time.Time {
	if d.claimedAt.IsZero() {
		return time.Now()
	}
	return d.claimedAt.Add(time.Since(d.since))
}

// claim is a worker's hold on a lane. The fence is different for every claim.
type claim struct {
	consumer, entry, fence string
	lane, id               string
}

// SetState keeps v, as JSON, with the job: the next delivery finds it in State.
// It returns [ErrLostClaim], and keeps nothing, when the lane is no longer this
// delivery's. A Delivery made by hand, without a queue, keeps it in memory.
func (d *Delivery) SetState(ctx context.Context, v any) error {
	state, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("queue: state of %s: %w", d.ID, err)
	}
	if d.q == nil {
		d.State = state
		return nil
	}
	n, err := stateScript.Run(ctx, d.q.rdb, d.q.keys(), d.q.key(""), d.claim.lane, d.claim.fence, d.ID, string(state)).Int()
	if err != nil {
		return errorf("set state", d.ID, err)
	}
	if n == 0 {
		return ErrLostClaim
	}
	d.State = state
	return nil
}

// claimLane takes hold of the lane whose token is entry. It returns nil when
// there is nothing to do: the token is stale, the lane empty or in other hands.
func (q *Queue) claimLane(ctx context.Context, consumer, entry, fence string) (*Delivery, error) {
	values, err := claimScript.Run(ctx, q.rdb, q.keys(), q.key(""), consumer, entry, fence, q.o.Lease.Milliseconds()).StringSlice()
	if err != nil {
		return nil, errorf("claim", entry, err)
	}
	if len(values) == 0 {
		return nil, nil
	}
	d := &Delivery{q: q, Job: Job{ID: values[0], Lane: values[1], Kind: values[2], Body: raw(values[3])}}
	d.claim = claim{consumer: consumer, entry: entry, fence: fence, lane: d.Lane, id: d.ID}
	d.PutAt = time.UnixMilli(number(values[4]))
	d.Attempt, d.Deliveries = int(number(values[5])), int(number(values[6]))
	d.State = raw(values[7])
	d.SameRun = values[8] != "" && values[8] == values[9]
	d.First = d.Deliveries == 1 && d.SameRun
	d.claimedAt, d.since = time.UnixMilli(number(values[10])), time.Now()
	return d, nil
}

func raw(s string) json.RawMessage {
	if s == "" {
		return nil
	}
	return json.RawMessage(s)
}

func number(s string) int64 {
	n, _ := strconv.ParseInt(s, 10, 64) // the scripts write nothing else
	return n
}

// renew prolongs a claim by a lease; false: the claim is lost.
func (q *Queue) renew(ctx context.Context, c claim) (bool, error) {
	n, err := renewScript.Run(ctx, q.rdb, q.keys(), q.key(""), c.lane, c.fence, c.consumer, c.entry, q.o.Lease.Milliseconds()).Int()
	return n == 1, err
}

// settle ends a claim with what becomes of its job; false: the claim was lost.
func (q *Queue) settle(ctx context.Context, c claim, o outcome) (bool, error) {
	n, err := settleScript.Run(ctx, q.rdb, q.keys(), q.key(""), c.lane, c.entry, c.fence, c.id,
		o.verb, millis(o.after), o.reason, remember.Milliseconds(), tellAgain.Milliseconds()).Int()
	return n == 1, err
}

// prelude of the scripts of workers.
const claimLua = PutLua + `
-- queue_drop(p, entry) takes an entry out of the stream and its group.
local function queue_drop(p, entry)
  redis.call('XACK', p .. 'stream', 'workers', entry)
  redis.call('XDEL', p .. 'stream', entry)
end

-- queue_next(p, lane) gives the lane a new token, or none when it is empty.
local function queue_next(p, lane)
  if redis.call('EXISTS', p .. 'lane:' .. lane) == 1 then
    queue_token(p, lane)
  else
    redis.call('HDEL', p .. 'tokens', lane)
  end
end
`

// KEYS: 1 the stream. ARGV: 1 prefix, 2 consumer, 3 stream entry, 4 fence, 5 lease in ms.
// Returns id, lane, kind, body, put, failures, deliveries, state, run it was
// accepted in, run of now, now in ms; or nothing when there is nothing to do: the entry is
// gone, is not the lane's token, the lane is empty, or another claim on it lives
// (then the entry's idle time is set so that it is found when that claim ends).
var claimScript = redis.NewScript(claimLua + `
local p, consumer, entry, fence, lease = ARGV[1], ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])
local found = redis.call('XRANGE', p .. 'stream', entry, entry)
if #found == 0 then redis.call('XACK', p .. 'stream', 'workers', entry) return {} end
local lane = found[1][2][2]
if redis.call('HGET', p .. 'tokens', lane) ~= entry then queue_drop(p, entry) return {} end

local holder = redis.call('GET', p .. 'claim:' .. lane)
if holder and holder ~= fence then
  local idle = math.max(0, lease - redis.call('PTTL', p .. 'claim:' .. lane))
  redis.pcall('XCLAIM', p .. 'stream', 'workers', consumer, 0, entry, 'IDLE', idle, 'JUSTID')
  return {}
end

local id = redis.call('LINDEX', p .. 'lane:' .. lane, 0)
while id and redis.call('EXISTS', p .. 'job:' .. id) == 0 do
  redis.call('LPOP', p .. 'lane:' .. lane)
  id = redis.call('LINDEX', p .. 'lane:' .. lane, 0)
end
if not id then
  queue_drop(p, entry)
  redis.call('HDEL', p .. 'tokens', lane)
  return {}
end

redis.call('SET', p .. 'claim:' .. lane, fence, 'PX', lease)
redis.pcall('XCLAIM', p .. 'stream', 'workers', consumer, 0, entry, 'JUSTID')
local deliveries = redis.call('HINCRBY', p .. 'job:' .. id, 'deliveries', 1)
local j = redis.call('HMGET', p .. 'job:' .. id, 'kind', 'body', 'put', 'failures', 'state', 'run')
return {id, lane, j[1] or '', j[2] or '', j[3] or '0', j[4] or '0', tostring(deliveries), j[5] or '', j[6] or '', queue_run(), string.format('%.0f', queue_now())}
`)

// KEYS: 1 the stream. ARGV: 1 prefix, 2 lane, 3 fence, 4 consumer, 5 entry, 6 lease in ms.
// Returns 1, or 0 when the claim is no longer ours. The claim and the entry's
// idle time begin anew in the same step, so that both end together.
var renewScript = redis.NewScript(`
local p, lane, fence, consumer, entry, lease = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]
if redis.call('GET', p .. 'claim:' .. lane) ~= fence then return 0 end
redis.call('PEXPIRE', p .. 'claim:' .. lane, lease)
redis.pcall('XCLAIM', p .. 'stream', 'workers', consumer, 0, entry, 'JUSTID')
return 1
`)

// KEYS: 1 the stream. ARGV: 1 prefix, 2 lane, 3 fence, 4 job id, 5 state.
// Returns 1, or 0 when the claim is no longer ours.
var stateScript = redis.NewScript(`
local p, lane, fence, id, state = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
if redis.call('GET', p .. 'claim:' .. lane) ~= fence then return 0 end
redis.call('HSET', p .. 'job:' .. id, 'state', state)
return 1
`)

// KEYS: 1 the stream. ARGV: 1 prefix, 2 lane, 3 entry, 4 fence, 5 job id,
// 6 verb: done, wait, retry, dead, back; 7 ms to wait, 8 reason,
// 9 ms the id is remembered, 10 ms after which somebody else tells of a death.
// Returns 1, or 0 when the claim is no longer ours. All verbs end the claim;
// wait and retry leave the lane among the waiting, the others pass its token on.
var settleScript = redis.NewScript(claimLua + `
local p, lane, entry, fence, id, verb = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6]
if redis.call('GET', p .. 'claim:' .. lane) ~= fence then return 0 end
redis.call('DEL', p .. 'claim:' .. lane)
queue_drop(p, entry)

if verb == 'wait' or verb == 'retry' then
  if verb == 'retry' then
    redis.call('HINCRBY', p .. 'job:' .. id, 'failures', 1)
    redis.call('HSET', p .. 'job:' .. id, 'reason', ARGV[8])
  end
  redis.call('ZADD', p .. 'waiting', queue_now() + ARGV[7], lane)
  redis.call('HSET', p .. 'tokens', lane, 'waiting')
  return 1
end
if verb == 'done' or verb == 'dead' then
  redis.call('LREM', p .. 'lane:' .. lane, 1, id)
  if redis.call('PEXPIRE', p .. 'seen:' .. id, ARGV[9]) == 0 then
    redis.call('SET', p .. 'seen:' .. id, verb, 'PX', ARGV[9])
  end
end
if verb == 'done' then redis.call('DEL', p .. 'job:' .. id) end
if verb == 'dead' then
  local now = queue_now()
  redis.call('HINCRBY', p .. 'job:' .. id, 'failures', 1)
  redis.call('HSET', p .. 'job:' .. id, 'reason', ARGV[8])
  redis.call('ZADD', p .. 'dead', now, id)
  redis.call('ZADD', p .. 'untold', now + ARGV[10], id)
end
queue_next(p, lane)
return 1
`)
