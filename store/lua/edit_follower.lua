-- Writes what is kept of somebody who follows an order in place of the very document that was read; an empty
-- one takes them off.
-- KEYS: order
-- ARGS: field, was, is
-- Returns 1, also when this very change is kept already, or 0 when what is kept is another document.
local kept = redis.call('HGET', order, a.field) or ''
if kept == a.is then return 1 end
if kept ~= a.was or kept == '' then return 0 end
if a.is == '' then redis.call('HDEL', order, a.field) else redis.call('HSET', order, a.field, a.is) end
return 1
