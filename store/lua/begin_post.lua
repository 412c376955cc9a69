-- Leaves the mark of a post that is about to be sent.
-- KEYS: order
-- CHECKS: generation
-- Returns 1, -1 when the order is not tracked, 0 when its generation is another.
redis.call('HSET', order, 'posting', a.mark, 'posting_event', a.event)
return 1
