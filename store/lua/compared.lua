-- Notes the run of Redis in which an order's channel was compared with the record, and the replies
-- that were found there and are not recorded.
-- KEYS: order
-- CHECKS: generation
-- Returns 1, -1 for an untracked order, or 0 for another generation.
redis.call('HSET', order, 'compared', a.run, 'told', a.told)
return 1
