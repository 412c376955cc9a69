-- Writes a new order, its first event, its indexes and its announcement job. A reference
-- that another order holds stays that order's.
-- KEYS: order, events, event_ids, active, lagging, finished, shrunk, channel_orders,
--   requester_orders, channels, reference
-- Returns 1, or 0 when the order is tracked already.
local order, events, event_ids, active, lagging, finished, shrunk, channel_orders,
  requester_orders, channels, reference = unpack(KEYS)
local a = cjson.decode(ARGV[1])
local id = a.fields.id
if redis.call('EXISTS', order) == 1 then return 0 end
hash_set(order, a.fields)
events_append(order, events, event_ids, {a.event})
own_active(active, finished, shrunk, id, a.active)
redis.call('SADD', lagging, id)
own_enter(channel_orders, channels, a.fields.channel, id, a.ordered_at)
redis.call('ZADD', requester_orders, a.ordered_at, id)
own_reference(reference, id, a.fields.reference)
queue_put(a.announce)
return 1
