-- Puts a dead job back at the end of its lane, with all its attempts.
-- KEYS: stream
-- USES: put
-- Returns 1, or 0 when it is not dead.
local keys = queue_keys(a.prefix)
local job = keys.job(a.id)
local lane = redis.call('HGET', job, 'lane')
if redis.call('ZREM', keys.dead, a.id) == 0 or not lane then return 0 end
redis.call('ZREM', keys.untold, a.id)
redis.call('HSET', job, 'failures', 0)
redis.call('HDEL', job, 'reason')
queue_append(keys, lane, a.id)
return 1
