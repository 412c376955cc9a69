-- Writes what was read of a key under its new name, in place of what is there.
-- KEYS: fence, key
-- ARGS: holder, dump, life
-- Returns 1, or 0 when somebody else carries.
if redis.call('GET', fence) ~= a.holder then return 0 end
redis.call('RESTORE', key, a.life, a.dump, 'REPLACE')
return 1
