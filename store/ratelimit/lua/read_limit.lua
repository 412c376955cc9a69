-- Records that Slack limits the reading of messages. The limit counts for life ms; no slot comes for ms ms.
-- KEYS: reads
-- USES: time
-- Returns 1, or 0 when the limit was known.
local now, due = now_ms(), redis.call('HGET', reads, 'next')
redis.call('HSET', reads, 'next', string.format('%.0f', math.max(tonumber(due or 0), now + tonumber(a.ms))))
redis.call('PEXPIRE', reads, a.life)
return due and 0 or 1
