-- Moves an order's watermark past all its events.
-- KEYS: order, lagging
-- CHECKS: generation
-- Returns 1, -1 for an untracked order, or 0 for another generation.
local h = redis.call('HMGET', order, 'last_event', 'version')
redis.call('HSET', order, 'announced', h[1], 'card_version', h[2])
redis.call('HDEL', order, 'posting', 'posting_event')
redis.call('SREM', lagging, a.id)
return 1
