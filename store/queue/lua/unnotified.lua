-- Assigns the dead jobs whose report is overdue to the caller. It has again ms to report each one.
-- KEYS: stream
-- USES: keys, time
-- Returns their ids.
local keys, now = queue_keys(a.prefix, a.share), now_ms()
local ids = redis.call('ZRANGEBYSCORE', keys.untold, '-inf', now, 'LIMIT', 0, 100)
for _, id in ipairs(ids) do redis.call('ZADD', keys.untold, now + a.again, id) end
return ids
