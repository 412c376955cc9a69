package queue

import (
	"crypto/rand"
	"time"

	"github.com/redis/go-redis/v9"
)

// remember is how long the id of a job stays known after it was put or settled.
const remember = 25 * time.Hour

// PutArgCount is how many arguments [Queue.PutArgs] returns.
const PutArgCount = 8

// PutLua is a Lua fragment for a script that must put a job in the same atomic
// step as its own writes. Prepend it to the script and call
//
//	queue_put(ARGV, at)
//
// where at is the index of the first of the job's [Queue.PutArgs] in ARGV:
//
//	script := redis.NewScript(queue.PutLua + `
//	  redis.call('HSET', KEYS[1], 'status', ARGV[1])
//	  return queue_put(ARGV, 2)`)
//	args := append([]any{"approved"}, q.PutArgs(job)...)
//	script.Run(ctx, rdb, []string{orderKey(id)}, args...)
//
// It returns 1 when the job was added and 0 when a job of that id is known. Any
// table will do instead of ARGV, and a script may overwrite an argument before
// the call: at+0 is the key prefix, +1 the id, +2 the lane, +3 the kind, +4 the
// body, +5 the delay in ms, +6 a nonce of this put, +7 the ms an id is
// remembered. The queue's keys have the tag {darkroom}: the script's own keys
// must have it too. The fragment defines only locals whose names begin with
// queue_.
const PutLua = `
-- queue_now() returns Redis's time in ms.
local function queue_now()
  local t = redis.call('TIME')
  return t[1] * 1000 + math.floor(t[2] / 1000)
end

-- queue_run() names this run of Redis; '' when it does not tell. The embedded
-- Redis has no sections to tell from, and no data that outlives it either.
local function queue_run()
  local info = redis.pcall('INFO', 'server')
  if type(info) == 'table' then
    return string.find(info.err or '', 'is not supported', 1, true) and 'embedded' or ''
  end
  return string.match(info, 'run_id:(%x+)') or ''
end

-- queue_token(p, lane) gives the lane a new token at the end of the stream.
local function queue_token(p, lane)
  local entry = redis.call('XADD', p .. 'stream', '*', 'lane', lane)
  redis.call('HSET', p .. 'tokens', lane, entry)
end

-- queue_append(p, lane, id) adds a job to its lane and wakes the lane if idle.
local function queue_append(p, lane, id)
  redis.call('RPUSH', p .. 'lane:' .. lane, id)
  if redis.call('HEXISTS', p .. 'tokens', lane) == 0 then queue_token(p, lane) end
end

-- queue_put(a, at) puts the job of the eight values that begin at a[at].
-- It returns 1, or 0 when the job's id is known. A put that is sent twice
-- because its answer was lost has the same nonce and is answered 1 again.
local function queue_put(a, at)
  local p, id, lane, delay, nonce = a[at], a[at + 1], a[at + 2], tonumber(a[at + 5]), a[at + 6]
  local seen = redis.call('GET', p .. 'seen:' .. id)
  if seen then return seen == nonce and 1 or 0 end
  if redis.call('EXISTS', p .. 'job:' .. id) == 1 then return 0 end
  local now = queue_now()
  redis.call('SET', p .. 'seen:' .. id, nonce, 'PX', a[at + 7])
  redis.call('HSET', p .. 'job:' .. id, 'lane', lane, 'kind', a[at + 3], 'body', a[at + 4],
    'put', now, 'run', queue_run(), 'failures', 0, 'deliveries', 0)
  if delay > 0 then
    redis.call('ZADD', p .. 'later', now + delay, id)
  else
    queue_append(p, lane, id)
  end
  return 1
end
`

// KEYS: 1 the stream. ARGV: a job's PutArgs. Returns 1, or 0 when known.
var putScript = redis.NewScript(PutLua + `return queue_put(ARGV, 1)`)

// PutArgs returns the [PutArgCount] arguments with which queue_put of [PutLua]
// puts job. Take fresh ones for each put, and the same ones when a put is
// repeated because its answer was lost.
func (q *Queue) PutArgs(job Job) []any { return q.putArgs(job, 0) }

func (q *Queue) putArgs(job Job, delay time.Duration) []any {
	return []any{
		q.key(""), job.ID, job.Lane, job.Kind, string(job.Body),
		millis(delay), rand.Text(), remember.Milliseconds(),
	}
}

// millis rounds up: a wait is never shorter than asked.
func millis(d time.Duration) int64 {
	return max(0, (d + time.Millisecond - 1).Milliseconds())
}
