-- USES: time
-- own_active(active, finished, shrunk, id, entry) keeps the poller's entry; '': it need not
-- look, and the order's time to shrink and to leave begins anew. That of one which is gone
-- begins once, however often it is looked for, and ends when it comes back.
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

-- own_enter(orders, channels, channel, id, at) lists an order as the channel's.
local function own_enter(orders, channels, channel, id, at)
  redis.call('ZADD', orders, at, id)
  redis.call('SADD', channels, channel)
end

-- own_exit(orders, channels, channel, id) takes it off again.
local function own_exit(orders, channels, channel, id)
  redis.call('ZREM', orders, id)
  if redis.call('EXISTS', orders) == 0 then redis.call('SREM', channels, channel) end
end
