-- Replaces events of an order, each at its index from 0.
-- KEYS: order, events
-- CHECKS: version
-- Returns 1, or 0 for another version, or if the order has shrunk meanwhile with its
-- history.
if redis.call('HEXISTS', order, 'order') == 0 then return 0 end
for _, event in ipairs(a.events) do redis.call('LSET', events, event.place, event.doc) end
return 1
