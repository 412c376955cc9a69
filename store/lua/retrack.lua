-- Takes an untracked order over again under a new owner: it is told from here on, and the
-- messages of its last place are left tidy.
-- KEYS: order, events, event_ids, active, lagging, finished, shrunk, channel_orders,
--   requester_orders, channels, reference, thread
-- Returns 1, 0 when the version is another, 2 when thread is that of another card than the
-- order's.
local order, events, event_ids, active, lagging, finished, shrunk, channel_orders,
  requester_orders, channels, reference, thread = unpack(KEYS)
local a = cjson.decode(ARGV[1])
local id = a.fields.id
if redis.call('HGET', order, 'version') ~= a.version then return 0 end
if other_card(order, a.card) then return 2 end
leave_place(order, thread, a.leave)
redis.call('HDEL', order, 'left', 'delivered', 'pauses', 'gone', 'missed_since', 'missed_at', 'intent')
hash_set(order, a.fields)
redis.call('HSET', order, 'announced', redis.call('LLEN', events))
redis.call('DEL', event_ids)
events_append(order, events, event_ids, {a.event})
own_active(active, finished, shrunk, id, a.active)
redis.call('SADD', lagging, id)
own_enter(channel_orders, channels, a.fields.channel, id, a.ordered_at)
redis.call('ZADD', requester_orders, a.ordered_at, id)
own_reference(reference, id, a.fields.reference)
queue_put(a.announce)
return 1
