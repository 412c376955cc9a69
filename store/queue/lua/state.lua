-- Saves a state with the job of a claim.
-- KEYS: stream
-- CHECKS: fence
-- Returns 1, or 0 when the claim is lost.
redis.call('HSET', keys.job(a.id), 'state', a.state)
return 1
