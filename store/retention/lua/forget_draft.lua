-- Removes a draft, unless it has changed.
-- KEYS: draft, unfinished, outstanding
-- Returns 1, or 0 if it has changed.
if redis.call('HGET', draft, 'doc') ~= a.doc then return 0 end
redis.call('DEL', draft)
redis.call('ZREM', unfinished, a.id)
redis.call('ZREM', outstanding, a.id)
return 1
