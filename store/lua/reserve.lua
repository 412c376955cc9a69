-- Reserves a reference for a while.
-- KEYS: reference
-- Returns 1, or 0 when it is another's.
local reference = unpack(KEYS)
local a = cjson.decode(ARGV[1])
local holder = redis.call('GET', reference)
if holder and holder ~= a.holder then return 0 end
redis.call('SET', reference, a.holder, 'PX', a.life)
return 1
