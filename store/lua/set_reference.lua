-- Gives a reference to an order that was tracked without one.
-- KEYS: order, reference
-- USES: reference
-- Returns 1, or 0 when the order has one already, or is no more.
if redis.call('HGET', order, 'reference') ~= '' then return 0 end
redis.call('HSET', order, 'reference', a.reference)
own_reference(reference, a.id, a.reference)
return 1
