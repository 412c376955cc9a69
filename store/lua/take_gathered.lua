-- Lets no more reviews join those that a channel is told of together, and finds them. Whoever asks again finds
-- the same ones.
-- KEYS: gathered, gathering
-- Returns the reviews.
if redis.call('GET', gathering) == a.first then redis.call('DEL', gathering) end
return redis.call('ZRANGEBYSCORE', gathered, a.first, a.first)
