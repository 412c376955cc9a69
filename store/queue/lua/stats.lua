-- Reads the numbers that Redis has at hand.
-- KEYS: stream
-- USES: keys, time
-- READS: only
-- Returns the numbers of lanes with jobs, delayed jobs, dead letters and waiting lanes, and the time in ms.
local keys = queue_keys(a.prefix, a.share)
return {
  redis.call('HLEN', keys.tokens), redis.call('ZCARD', keys.later), redis.call('ZCARD', keys.dead), redis.call('ZCARD', keys.waiting), now_ms(),
}
