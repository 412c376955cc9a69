-- Hands an order to another channel, whose indexes, card and thread are its own from then
-- on. The watermark stays: what the old channel was not told, the new one is.
-- KEYS: order, events, event_ids, active, lagging, finished, shrunk, channel_orders,
--   channels, new_orders, thread, spending
-- USES: put, wake, events, ownership, leave, spending
-- CHECKS: version
-- Returns 1, 0 when the version is another, 2 when thread is that of another card than the
-- order's.
if other_card(order, a.card) then return 2 end
events_append(order, events, event_ids, {a.event})
leave_place(order, thread, a.leave)
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
