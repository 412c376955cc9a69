-- Replaces a string if it still has the value that was read; an empty value deletes the key.
-- KEYS: key
-- ARGS: before, after
-- Returns 1, also if the key has the new value already, or 0 if it has another value.
local now = redis.call('GET', key) or ''
if now == a.after then return 1 end
if now ~= a.before then return 0 end
if a.after == '' then redis.call('DEL', key) else redis.call('SET', key, a.after) end
return 1
