-- Has the run of Redis that was known where a workspace's data comes from go on here: none of it was forgotten.
-- KEYS: fence, run
-- USES: run
-- Returns 1, or 0 when somebody else moves it.
if redis.call('GET', fence) ~= a.holder then return 0 end
redis.call('HSET', run, 'replid', queue_run(), 'replid_since', a.since)
return 1
