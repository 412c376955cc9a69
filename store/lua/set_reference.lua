-- Adds the reference and the brief to an order that was tracked without them.
-- KEYS: order, reference
-- USES: reference
-- Returns 1, or 0 if the order has a reference already, or is missing.
if redis.call('HGET', order, 'reference') ~= '' then return 0 end
for field, value in pairs(a.fields) do redis.call('HSET', order, field, value) end
own_reference(reference, a.id, a.fields.reference)
return 1
