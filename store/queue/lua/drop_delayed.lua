-- Forgets a delayed job that is not due yet; its id stays known for a while.
-- KEYS: stream
-- USES: keys
-- Returns 1, or 0 when it is not delayed.
local keys = queue_keys(a.prefix, a.share)
if redis.call('ZREM', keys.later, a.id) == 0 then return 0 end
redis.call('DEL', keys.job(a.id))
redis.call('SET', keys.seen(a.id), 'dropped', 'PX', a.remember)
return 1
