-- Ends a channel's ownership of an order. The order keeps its reference, for when it is
-- tracked again.
-- KEYS: order, events, event_ids, active, lagging, finished, shrunk, channel_orders,
--   requester_orders, channels, spending, batch, batch_orders
-- USES: put, wake, events, ownership, spending, batch
-- CHECKS: version
-- Returns 1, or 0 for another version.
events_append(order, events, event_ids, {a.event})
spending_keep(order, spending, a.spending)
redis.call('HSET', order, 'version', a.version + 1, 'left', 1)
redis.call('HDEL', order, 'intent')
batch_leave(batch, batch_orders, a.id, true)
own_exit(channel_orders, channels, a.channel, a.id)
redis.call('ZREM', requester_orders, a.id)
own_active(active, finished, shrunk, a.id, '')
redis.call('SADD', lagging, a.id)
queue_put(a.announce)
queue_wake(a.poll)
return 1
