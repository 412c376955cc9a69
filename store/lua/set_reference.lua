-- Gives a reference, and what was asked for, to an order that was tracked without.
-- KEYS: order, reference
-- USES: reference
-- Returns 1, or 0 when the order has one already, or is no more.
if redis.call('HGET', order, 'reference') ~= '' then return 0 end
for field, value in pairs(a.fields) do redis.call('HSET', order, field, value) end
own_reference(reference, a.id, a.fields.reference)
return 1
