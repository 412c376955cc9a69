-- Writes an order that is new, or one that was untracked, under its owner: its first event, its
-- indexes and its announcement job. One that was untracked is told from here on, and the messages
-- of its last place are cleaned up. A reference that another order holds stays that order's.
-- KEYS: order, events, event_ids, active, lagging, finished, shrunk, channel_orders,
--   requester_orders, channels, reference, thread, spending
-- USES: put, wake, events, ownership, reference, leave, spending
-- Returns 1, 0 when the version is another ('' is that of no order), 2 when thread is that of
-- another card than the order's.
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
spending_note(order, spending, a.spending)
for _, name in ipairs(a.reserved) do redis.call('HDEL', spending, name) end
queue_put(a.announce)
queue_wake(a.poll)
return 1
