-- Says that a channel is owed nothing more of an order.
-- KEYS: order, lagging
-- CHECKS: generation
-- Returns 1, -1 when the order is not tracked, 0 when its generation is another.
local h = redis.call('HMGET', order, 'last_event', 'version')
redis.call('HSET', order, 'announced', h[1], 'card_version', h[2])
redis.call('HDEL', order, 'posting', 'posting_event')
redis.call('SREM', lagging, a.id)
return 1
