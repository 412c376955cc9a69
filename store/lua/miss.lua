-- Notes since when the service has not known an order.
-- KEYS: order, active, finished, shrunk
-- Returns 1, or 0 when the version is another.
local order, active, finished, shrunk = unpack(KEYS)
local a = cjson.decode(ARGV[1])
if redis.call('HGET', order, 'version') ~= a.version then return 0 end
redis.call('HSET', order, 'missed_since', a.since, 'missed_at', a.at)
own_active(active, finished, shrunk, a.id, a.active)
return 1
