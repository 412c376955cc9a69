-- Writes a new order, or an untracked one, under its owner: its first event, its indexes and its
-- announcement job. The earlier events of an untracked order are not announced, and a job cleans up
-- the messages in its last channel. A reference that another order holds stays that order's.
-- KEYS: order, events, event_ids, active, lagging, finished, shrunk, channel_orders,
--   requester_orders, channels, reference, thread, spending, batch, batch_orders
-- USES: put, wake, events, ownership, reference, leave, spending, batch
-- Returns 1, 0 for another version ('' is the version of a missing order), or 2 if thread belongs to
-- another card of the order.
if (redis.call('HGET', order, 'version') or '') ~= a.version then return 0 end
if a.version ~= '' then
  if other_card(order, a.card) then return 2 end
  leave_place(order, thread, a.leave)
  redis.call('HDEL', order, 'left', 'delivered', 'pauses', 'gone', 'missed_since', 'missed_at', 'intent')
  redis.call('HSET', order, 'announced', redis.call('LLEN', events))
  redis.call('DEL', event_ids)
end
for field, value in pairs(a.fields) do redis.call('HSET', order, field, value) end
events_append(order, events, event_ids, {a.event})
own_active(active, finished, shrunk, a.id, a.active)
redis.call('SADD', lagging, a.id)
own_enter(channel_orders, channels, a.fields.channel, a.id, a.ordered_at)
redis.call('ZADD', requester_orders, a.ordered_at, a.id)
own_reference(reference, a.id, a.fields.reference)
if a.fields.batch then batch_enter(batch, batch_orders, a.id, a.ordered_at) end
spending_note(order, spending, a.spending)
for _, name in ipairs(a.reserved) do redis.call('HDEL', spending, name) end
queue_put(a.announce)
queue_wake(a.poll)
return 1
