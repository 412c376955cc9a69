-- Counts what can be counted at once, however much there is.
-- KEYS: stream
-- USES: keys, time
-- READS: only
-- Returns how many lanes have jobs, jobs that are not due and dead letters there are, how many lanes are put off, and
-- the time in ms.
local keys = queue_keys(a.prefix, a.share)
return {
  redis.call('HLEN', keys.tokens), redis.call('ZCARD', keys.later), redis.call('ZCARD', keys.dead), redis.call('ZCARD', keys.waiting), now_ms(),
}
