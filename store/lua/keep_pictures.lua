-- Writes events of an order anew, each at its place from 0.
-- KEYS: order, events
-- CHECKS: version
-- Returns 1, or 0 when the version is another, or the order has shrunk meanwhile, and its
-- history with it.
if redis.call('HEXISTS', order, 'order') == 0 then return 0 end
for _, event in ipairs(a.events) do redis.call('LSET', events, event.place, event.doc) end
return 1
