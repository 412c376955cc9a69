-- Makes an order active again that can still change.
-- KEYS: order, active, finished, shrunk
-- Returns 1, or 0 when the version is another.
local order, active, finished, shrunk = unpack(KEYS)
local a = cjson.decode(ARGV[1])
if redis.call('HGET', order, 'version') ~= a.version then return 0 end
own_active(active, finished, shrunk, a.id, a.active)
return 1
