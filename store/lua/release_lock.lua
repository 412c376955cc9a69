-- Gives a lock up.
-- KEYS: lock
-- Returns 1, or 0 when it was not the token's.
local lock = unpack(KEYS)
local a = cjson.decode(ARGV[1])
if redis.call('GET', lock) == a.token then return redis.call('DEL', lock) end
return 0
