-- USES: time
-- own_active(active, finished, shrunk, id, entry) saves the poller's entry. With '' the order is
-- not polled, and its time until it shrinks begins anew. The time of a gone order begins once,
-- however often it is polled, and ends when the order comes back.
local function own_active(active, finished, shrunk, id, entry)
  if entry == '' then
    redis.call('HDEL', active, id)
    redis.call('ZREM', shrunk, id)
    redis.call('ZADD', finished, now_ms(), id)
    return
  end
  redis.call('HSET', active, id, entry)
  if not cjson.decode(entry).gone then
    redis.call('ZREM', shrunk, id)
    redis.call('ZREM', finished, id)
  elseif not redis.call('ZSCORE', shrunk, id) then
    redis.call('ZADD', finished, 'NX', now_ms(), id)
  end
end

-- own_enter(orders, channels, channel, id, at) adds an order to the channel's index.
local function own_enter(orders, channels, channel, id, at)
  redis.call('ZADD', orders, at, id)
  redis.call('SADD', channels, channel)
end

-- own_exit(orders, channels, channel, id) removes it from that index.
local function own_exit(orders, channels, channel, id)
  redis.call('ZREM', orders, id)
  if redis.call('EXISTS', orders) == 0 then redis.call('SREM', channels, channel) end
end
