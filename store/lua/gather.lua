-- Adds a review to those that a channel is told of together, unless it is among them, or was a while ago. It
-- joins those that wait, or is the first of others.
-- KEYS: gathered, gathering
-- USES: time
-- Returns when the first of them came, ms.
local known = redis.call('ZSCORE', gathered, a.review)
if known then return known end
local first = redis.call('GET', gathering)
if not first then
  local now, last = now_ms(), redis.call('ZRANGE', gathered, -1, -1, 'WITHSCORES')[2]
  if last and tonumber(last) >= now then now = tonumber(last) + 1 end
  redis.call('ZREMRANGEBYSCORE', gathered, '-inf', string.format('(%.0f', now - tonumber(a.keep)))
  first = string.format('%.0f', now)
  redis.call('SET', gathering, first, 'PX', a.join)
end
redis.call('ZADD', gathered, first, a.review)
redis.call('PEXPIRE', gathered, a.keep)
return first
