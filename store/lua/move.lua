-- Hands an order to another channel, with new indexes, a new card and a new thread. The
-- watermark stays: events that the old channel does not show are announced in the new one.
-- KEYS: order, events, event_ids, active, lagging, finished, shrunk, channel_orders,
--   channels, new_orders, thread, spending, batch, batch_orders
-- USES: put, wake, events, ownership, leave, spending, batch
-- CHECKS: version
-- Returns 1, 0 for another version, or 2 if thread belongs to another card of the
-- order.
if other_card(order, a.card) then return 2 end
events_append(order, events, event_ids, {a.event})
leave_place(order, thread, a.leave)
batch_leave(batch, batch_orders, a.id, true)
spending_keep(order, spending, a.spending)
redis.call('HSET', order, 'version', a.version + 1, 'generation', a.generation, 'channel', a.to)
local at = redis.call('ZSCORE', channel_orders, a.id) or a.ordered_at
own_exit(channel_orders, channels, a.from, a.id)
own_enter(new_orders, channels, a.to, a.id, at)
own_active(active, finished, shrunk, a.id, a.active)
redis.call('SADD', lagging, a.id)
queue_put(a.announce)
queue_wake(a.poll)
return 1
