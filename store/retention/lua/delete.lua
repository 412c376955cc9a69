-- Deletes an order with all its indexes. An order that is not idle is put off. An order that came
-- back meanwhile is no longer on the list, and stays.
-- KEYS: order, events, event_ids, lagging, finished, shrunk, snapshot, lane, active,
--   channel_orders, requester_orders, channels, thread, reference, batch, batch_orders
-- USES: finished, ownership, batch
-- CHECKS: version
-- Returns 1, or 0 for another version, or if the order came back or is not idle.
if not redis.call('ZSCORE', shrunk, a.id) then return 0 end
if not idle(order, lagging, lane, a.id) then put_off(shrunk, a.id, a.later) return 0 end
local generation = redis.call('HGET', order, 'generation')
redis.call('DEL', order, events, event_ids, snapshot)
redis.call('HDEL', active, a.id)
own_exit(channel_orders, channels, a.channel, a.id)
redis.call('ZREM', requester_orders, a.id)
batch_leave(batch, batch_orders, a.id, false)
if redis.call('GET', thread) == generation .. ':' .. a.id then redis.call('DEL', thread) end
if redis.call('GET', reference) == 'order:' .. a.id then redis.call('DEL', reference) end
redis.call('ZREM', finished, a.id)
redis.call('ZREM', shrunk, a.id)
return 1
