-- Takes a key for a holder for some ms, or renews it.
-- KEYS: key
-- Returns 1, or 0 if another holder has it.
local holder = redis.call('GET', key)
if holder and holder ~= a.holder then return 0 end
redis.call('SET', key, a.holder, 'PX', a.life)
return 1
