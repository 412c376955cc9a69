-- Leaves the mark of a post that is about to be sent.
-- KEYS: order
-- CHECKS: generation
-- Returns 1, -1 for an untracked order, or 0 for another generation.
redis.call('HSET', order, 'posting', a.mark, 'posting_event', a.event)
return 1
