-- Makes another person the requester of an order.
-- KEYS: order, events, event_ids, active, lagging, requester_orders, to_orders
-- USES: put, wake, events
-- CHECKS: version
-- Returns 1, 0 for another version, or 2 if the order has another requester than from.
if redis.call('HGET', order, 'requester') ~= a.from then return 2 end
events_append(order, events, event_ids, {a.event})
redis.call('HSET', order, 'version', a.version + 1, 'requester', a.to)
local at = redis.call('ZSCORE', requester_orders, a.id) or a.ordered_at
redis.call('ZREM', requester_orders, a.id)
redis.call('ZADD', to_orders, at, a.id)
if a.active ~= '' then redis.call('HSET', active, a.id, a.active) end
redis.call('SADD', lagging, a.id)
queue_put(a.announce)
queue_wake(a.poll)
return 1
