-- Puts a dead job back at the end of its lane, with all its attempts.
-- KEYS: stream
-- USES: put, dead
-- Returns 1, or 0 when it is not dead.
local keys = queue_keys(a.prefix, a.share)
local job = keys.job(a.id)
local lane = redis.call('HGET', job, 'lane')
if not queue_unbury(keys, a.id) or not lane then return 0 end
redis.call('HSET', job, 'failures', 0)
redis.call('HDEL', job, 'reason')
queue_append(keys, lane, a.id)
return 1
