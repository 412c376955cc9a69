-- Keeps a state with the job of a claim.
-- KEYS: stream
-- USES: keys
-- Returns 1, or 0 when the claim is no longer ours.
local keys = queue_keys(a.prefix)
if redis.call('GET', keys.claim(a.lane)) ~= a.fence then return 0 end
redis.call('HSET', keys.job(a.id), 'state', a.state)
return 1
