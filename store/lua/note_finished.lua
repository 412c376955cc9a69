-- Notes an order as finished since a time, or since now, that no step has noted.
-- KEYS: order, finished, shrunk
-- USES: time
-- CHECKS: version
-- Returns 1, or 0 when it was noted before or the version is another.
if redis.call('ZSCORE', shrunk, a.id) or redis.call('ZSCORE', finished, a.id) then return 0 end
local at, now = a.at, now_ms()
if at == '' or tonumber(at) > now then at = now end
redis.call('ZADD', finished, at, a.id)
return 1
