-- Replaces a field of an order's hash if it still has the value that was read; an empty value deletes it.
-- KEYS: order
-- ARGS: field, was, is
-- Returns 1, also if the field has the new value already, or 0 if it has another value.
local now = redis.call('HGET', order, a.field) or ''
if now == a.is then return 1 end
if now ~= a.was or now == '' then return 0 end
if a.is == '' then redis.call('HDEL', order, a.field) else redis.call('HSET', order, a.field, a.is) end
return 1
