-- Saves the card of a batch, and puts the job that posts it. A card that exists stays as it is.
-- KEYS: batch
-- USES: put
-- Returns 1, or 0 if it exists.
if redis.call('EXISTS', batch) == 1 then return 0 end
for field, value in pairs(a.fields) do redis.call('HSET', batch, field, value) end
redis.call('PEXPIRE', batch, a.life)
queue_put(a.job)
return 1
