-- Notes in which thread an order's card and replies are.
-- KEYS: order
-- CHECKS: generation
-- Returns 1, -1 for an untracked order, or 0 for another generation.
redis.call('HSET', order, 'root', a.root)
return 1
