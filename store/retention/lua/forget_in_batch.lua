-- Replaces the person in a batch's card, unless its deliveries have changed.
-- KEYS: batch
-- ARGS: requester, was, is
-- Returns 1, or 0 if they have changed.
if redis.call('EXISTS', batch) == 0 then return 1 end
if (redis.call('HGET', batch, 'deliveries') or '') ~= a.was then return 0 end
redis.call('HSET', batch, 'requester', a.requester, 'deliveries', a.is)
return 1
