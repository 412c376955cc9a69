-- Removes a draft, unless it is another by now.
-- KEYS: draft, unfinished, outstanding
-- Returns 1, or 0 when it is another.
if redis.call('HGET', draft, 'doc') ~= a.doc then return 0 end
redis.call('DEL', draft)
redis.call('ZREM', unfinished, a.id)
redis.call('ZREM', outstanding, a.id)
return 1
