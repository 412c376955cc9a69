-- Keeps for so many ms (life) that Slack limits the reading of messages, and that none may be read for so many (ms).
-- KEYS: reads
-- USES: time
-- Returns 1 when it was not known.
local now, due = now_ms(), redis.call('HGET', reads, 'next')
redis.call('HSET', reads, 'next', string.format('%.0f', math.max(tonumber(due or 0), now + tonumber(a.ms))))
redis.call('PEXPIRE', reads, a.life)
return due and 0 or 1
