-- Gives out the dead jobs that should have been told of by now, each to one caller until
-- its time to tell is over, too.
-- KEYS: stream
-- USES: keys, time
-- Returns their ids.
local keys, now = queue_keys(a.prefix, a.share), now_ms()
local ids = redis.call('ZRANGEBYSCORE', keys.untold, '-inf', now, 'LIMIT', 0, 100)
for _, id in ipairs(ids) do redis.call('ZADD', keys.untold, now + a.again, id) end
return ids
