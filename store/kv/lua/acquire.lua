-- Takes a key for a holder, for a while; one that the holder has already is renewed.
-- KEYS: key
-- Returns 1, or 0 when it is another's.
local holder = redis.call('GET', key)
if holder and holder ~= a.holder then return 0 end
redis.call('SET', key, a.holder, 'PX', a.life)
return 1
