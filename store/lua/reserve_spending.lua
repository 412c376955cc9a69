-- Reserves the cost of a draft before it is sent, unless another was reserved since the month was read. The field ''
-- counts the reservations.
-- KEYS: spending
-- USES: spending
-- Returns 1, or 0 if another was reserved.
if (redis.call('HGET', spending, '') or '') ~= a.seen then return 0 end
redis.call('HINCRBY', spending, '', 1)
spending_put(spending, a.as, a.entry)
return 1
