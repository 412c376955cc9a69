-- Notes since when this run of Redis is known. A server that was master before and is again,
-- after another, began anew, and not at the same millisecond.
-- KEYS: run
-- USES: run, time
-- Returns its id, @ and since when it is known, in ms.
local id, now = queue_run(), now_ms()
local known = redis.call('HMGET', run, 'replid', 'replid_since')
if known[1] == id then return id .. '@' .. known[2] end
local since = string.format('%.0f', math.max(now, tonumber(known[2] or 0) + 1))
redis.call('HSET', run, 'replid', id, 'replid_since', since)
return id .. '@' .. since
