-- Writes fields of a batch's card.
-- KEYS: batch
-- Returns 1, or 0 if it does not exist.
if redis.call('EXISTS', batch) == 0 then return 0 end
for field, value in pairs(a.fields) do redis.call('HSET', batch, field, value) end
return 1
