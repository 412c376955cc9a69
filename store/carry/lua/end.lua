-- Says that nobody carries any more.
-- KEYS: fence
-- ARGS: holder
-- Returns 1, or 0 when somebody else carries.
if redis.call('GET', fence) ~= a.holder then return 0 end
redis.call('DEL', fence)
return 1
