-- Forgets a dead job; its id stays known for a while.
-- KEYS: stream
-- USES: keys
-- Returns 1, or 0 when it is not dead.
local keys = queue_keys(a.prefix)
if redis.call('ZREM', keys.dead, a.id) == 0 then return 0 end
redis.call('ZREM', keys.untold, a.id)
redis.call('DEL', keys.job(a.id))
redis.call('SET', keys.seen(a.id), 'dropped', 'PX', a.remember)
return 1
