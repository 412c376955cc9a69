-- Takes an intent back.
-- KEYS: order
-- Returns 1, or 0 when the order has another.
if redis.call('HGET', order, 'intent') ~= a.intent then return 0 end
redis.call('HDEL', order, 'intent')
return 1
