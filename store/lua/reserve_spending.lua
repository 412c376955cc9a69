-- Counts an order before it is sent, unless another was reserved since the month was read: the field '' counts them.
-- KEYS: spending
-- USES: spending
-- Returns 1, or 0 when another was.
if (redis.call('HGET', spending, '') or '') ~= a.seen then return 0 end
redis.call('HINCRBY', spending, '', 1)
spending_put(spending, a.as, a.entry)
return 1
