-- USES: time
-- idle(order, lagging, lane, id) says that the channel was told all and that no job on the
-- order waits.
local function idle(order, lagging, lane, id)
  local h = redis.call('HMGET', order, 'announced', 'last_event', 'posting')
  return tonumber(h[1] or 0) >= tonumber(h[2] or 0) and not h[3]
    and redis.call('SISMEMBER', lagging, id) == 0 and redis.call('EXISTS', lane) == 0
end

-- put_off(list, id, ms) has it looked at again, that long from now. Returns 0 or 1.
local function put_off(list, id, ms)
  return redis.call('ZADD', list, 'XX', now_ms() + ms, id)
end

-- rest(finished, shrunk, id) has it wait for its time to leave, which goes on.
local function rest(finished, shrunk, id)
  local since = redis.call('ZSCORE', finished, id)
  if since then redis.call('ZADD', shrunk, since, id) end
  redis.call('ZREM', finished, id)
end
