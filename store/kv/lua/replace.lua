-- Replaces a string if it still has the value that was read; an empty value deletes the key. A life in ms, if not 0, is the key's.
-- KEYS: key
-- ARGS: before, after, life
-- Returns 1, also if the key has the new value already, or 0 if it has another value.
local now = redis.call('GET', key) or ''
if now == a.after then return 1 end
if now ~= a.before then return 0 end
if a.after == '' then
  redis.call('DEL', key)
elseif a.life == '0' then
  redis.call('SET', key, a.after)
else
  redis.call('SET', key, a.after, 'PX', a.life)
end
return 1
