-- Leaves an intent on an order, in place of any other.
-- KEYS: order
-- Returns 1, or 0 for an untracked order.
local h = redis.call('HMGET', order, 'id', 'left')
if not h[1] or h[2] == '1' then return 0 end
redis.call('HSET', order, 'intent', a.intent)
return 1
