-- Submits a draft without a read before, and puts the job that places it.
-- KEYS: draft, unfinished, outstanding, over
-- ARGS: id, doc, state, attempt, origin, life, now, nonce,
--   job.prefix, job.share, job.id, job.lane, job.kind, job.body, job.delay, job.nonce, job.remember, job.trace
-- USES: put, draft
-- Returns 1, or 0 if the saved draft is not open, or has another attempt or origin. A repeated call
-- whose answer was lost gets the same answer.
local kept = redis.call('HMGET', draft, 'state', 'attempt', 'origin', 'nonce')
if kept[4] == a.nonce then return 1 end
if kept[1] ~= 'open' or kept[2] ~= a.attempt or kept[3] ~= a.origin then return 0 end
redis.call('HSET', draft, 'doc', a.doc, 'state', a.state, 'nonce', a.nonce)
redis.call('PEXPIRE', draft, a.life)
redis.call('ZREM', unfinished, a.id)
draft_outstanding(outstanding, a)
redis.call('DEL', over)
queue_put(a.job)
return 1
