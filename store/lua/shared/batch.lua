-- batch_enter(batch, batch_orders, id, at) adds an order to a batch, whose card then stays.
local function batch_enter(batch, batch_orders, id, at)
  redis.call('ZADD', batch_orders, at, id)
  redis.call('PERSIST', batch)
end

-- batch_leave(batch, batch_orders, id, moved) removes an order from its batch. The card of a batch without orders expires.
local function batch_leave(batch, batch_orders, id, moved)
  if redis.call('ZREM', batch_orders, id) == 0 or redis.call('EXISTS', batch) == 0 then return end
  if moved then redis.call('HINCRBY', batch, 'left', 1) end
  if redis.call('EXISTS', batch_orders) == 0 then redis.call('EXPIRE', batch, 8 * 86400) end
end
