package queue

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/redis/go-redis/v9"
)

// sweepEvery is how often lost tokens are looked for, by one replica for all.
const sweepEvery = 15 * time.Second

// tidy repairs what a crash of Redis or of a replica left, until ctx ends.
func (r *runner) tidy(ctx context.Context) {
	for ctx.Err() == nil {
		mine, err := r.q.rdb.SetNX(ctx, r.q.key("sweep"), r.consumer, sweepEvery*9/10).Result()
		if err == nil && mine {
			err = r.tidyOnce(ctx)
		}
		r.outage.report(ctx, "sweep", err)
		wait(ctx, sweepEvery+rand.N(sweepEvery/10))
	}
}

func (r *runner) tidyOnce(ctx context.Context) error {
	if err := r.q.sweep(ctx); err != nil {
		return errorf("sweep", "lanes", err)
	}
	if err := r.q.reap(ctx, r.consumer); err != nil {
		return errorf("sweep", "consumers", err)
	}
	ids, err := r.q.untold(ctx)
	if err != nil {
		return errorf("sweep", "dead letters", err)
	}
	for _, id := range ids {
		if err := r.q.tell(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// sweep finds lanes whose token got lost, as when the end of the append-only
// file was cut or the stream deleted, and gives them a new one.
func (q *Queue) sweep(ctx context.Context) error {
	var cursor uint64
	for {
		found, next, err := q.rdb.HScan(ctx, q.key("tokens"), cursor, "", 200).Result()
		if err != nil {
			return err
		}
		if err := q.sweepLanes(ctx, found); err != nil {
			return err
		}
		if cursor = next; cursor == 0 {
			return nil
		}
	}
}

// sweepLanes looks at a page of HSCAN: lanes and their tokens in turn.
func (q *Queue) sweepLanes(ctx context.Context, found []string) error {
	args := []any{q.key("")}
	for i := 0; i < len(found); i += 2 {
		args = append(args, found[i])
	}
	if len(args) == 1 {
		return nil
	}
	lost, err := sweepScript.Run(ctx, q.rdb, q.keys(), args...).StringSlice()
	if err != nil {
		return err
	}
	for _, lane := range lost {
		q.log.Warn("lane had lost its token", "lane", lane)
	}
	return nil
}

// reap removes the names of consumers that died long ago and hold nothing.
func (q *Queue) reap(ctx context.Context, self string) error {
	idle := max(time.Minute, 10*q.o.Lease)
	return reapScript.Run(ctx, q.rdb, q.keys(), q.key(""), self, idle.Milliseconds()).Err()
}

// leave removes a consumer that has handed everything back.
func (q *Queue) leave(ctx context.Context, consumer string) error {
	return leaveScript.Run(ctx, q.rdb, q.keys(), q.key(""), consumer).Err()
}

// release hands back an entry that was read and not claimed.
func (q *Queue) release(ctx context.Context, entry string) error {
	return releaseScript.Run(ctx, q.rdb, q.keys(), q.key(""), entry).Err()
}

// KEYS: 1 the stream. ARGV: 1 prefix, then lanes. Returns the lanes that had
// lost their token and got a new one. A token is lost when its entry is not in
// the stream, when the group is past it and nobody holds it, or when it should
// wait and does not. A lane that is claimed is left alone: its worker passes
// the token on, or the claim ends.
var sweepScript = redis.NewScript(claimLua + `
local p, lost, last = ARGV[1], {}, {0, 0}

local function id(entry)
  local ms, seq = string.match(entry, '^(%d+)-?(%d*)$')
  return {tonumber(ms) or 0, tonumber(seq) or 0}
end
local groups = redis.pcall('XINFO', 'GROUPS', p .. 'stream')
for _, g in ipairs(groups) do
  local f = {}
  for i = 1, #g, 2 do f[g[i]] = g[i + 1] end
  if f['name'] == 'workers' then last = id(f['last-delivered-id']) end
end

local function held(entry)
  local e = id(entry)
  if e[1] > last[1] or (e[1] == last[1] and e[2] > last[2]) then return true end
  local pending = redis.pcall('XPENDING', p .. 'stream', 'workers', entry, entry, 1)
  return #pending > 0
end
local function has_token(lane, token)
  if token == 'waiting' then return redis.call('ZSCORE', p .. 'waiting', lane) end
  return #redis.call('XRANGE', p .. 'stream', token, token) > 0 and held(token)
end

for i = 2, #ARGV do
  local lane = ARGV[i]
  local token = redis.call('HGET', p .. 'tokens', lane)
  if token and redis.call('EXISTS', p .. 'claim:' .. lane) == 0 and not has_token(lane, token) then
    if token ~= 'waiting' then queue_drop(p, token) end
    queue_next(p, lane)
    lost[#lost + 1] = lane
  end
end
return lost
`)

// KEYS: 1 the stream. ARGV: 1 prefix, 2 our own consumer, 3 ms of idleness.
// Returns how many consumers were removed.
var reapScript = redis.NewScript(`
local p, self, idle, n = ARGV[1], ARGV[2], tonumber(ARGV[3]), 0
local consumers = redis.pcall('XINFO', 'CONSUMERS', p .. 'stream', 'workers')
for _, c in ipairs(consumers) do
  local f = {}
  for i = 1, #c, 2 do f[c[i]] = c[i + 1] end
  if f['name'] ~= self and f['idle'] > idle
    and #redis.call('XPENDING', p .. 'stream', 'workers', '-', '+', 1, f['name']) == 0 then
    redis.call('XGROUP', 'DELCONSUMER', p .. 'stream', 'workers', f['name'])
    n = n + 1
  end
end
return n
`)

// KEYS: 1 the stream. ARGV: 1 prefix, 2 consumer. Returns 1, or 0 when it still
// has pending entries (removing it would lose them) or the group is gone.
var leaveScript = redis.NewScript(`
local stream, consumer = ARGV[1] .. 'stream', ARGV[2]
local pending = redis.pcall('XPENDING', stream, 'workers', '-', '+', 1, consumer)
if pending.err or #pending > 0 then return 0 end
redis.call('XGROUP', 'DELCONSUMER', stream, 'workers', consumer)
return 1
`)

// KEYS: 1 the stream. ARGV: 1 prefix, 2 entry. Returns 1, or 0 when the entry is
// not the lane's token or a claim on the lane lives.
var releaseScript = redis.NewScript(claimLua + `
local p, entry = ARGV[1], ARGV[2]
local found = redis.call('XRANGE', p .. 'stream', entry, entry)
if #found == 0 then return 0 end
local lane = found[1][2][2]
if redis.call('EXISTS', p .. 'claim:' .. lane) == 1 then return 0 end
local token = redis.call('HGET', p .. 'tokens', lane)
queue_drop(p, entry)
if token ~= entry then return 0 end
queue_next(p, lane)
return 1
`)
