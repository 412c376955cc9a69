-- Finds the orders whose time is over, so many of each kind at most. It writes nothing.
-- KEYS: finished, shrunk, walk
-- USES: time
-- Returns the ids to shrink, those to let go, and how far the walk has come.
local now, over = now_ms(), {}
local full = redis.call('ZRANGEBYSCORE', finished, '-inf', now - a.full, 'LIMIT', 0, a.most)
if a.keep ~= '0' then
  over = redis.call('ZRANGEBYSCORE', shrunk, '-inf', now - a.keep, 'LIMIT', 0, a.most)
end
return {full, over, redis.call('GET', walk) or ''}
