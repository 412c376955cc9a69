-- Notes the run of Redis in which an order's channel was held against the record, and what was
-- found there that the record does not have.
-- KEYS: order
-- CHECKS: generation
-- Returns 1, -1 when the order is not tracked, 0 when its generation is another.
redis.call('HSET', order, 'compared', a.run, 'told', a.told)
return 1
