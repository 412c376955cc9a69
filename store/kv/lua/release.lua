-- Gives a key up.
-- KEYS: key
-- Returns 1, or 0 when it was not the holder's.
if redis.call('GET', key) == a.holder then return redis.call('DEL', key) end
return 0
