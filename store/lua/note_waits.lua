-- Notes what of an order waits for the service, and until when that counts. What is new of it is
-- shown on the card, and what is noted again after it ran out: the card may have stopped saying so.
-- KEYS: order
-- USES: put
-- Returns 1, 0 when the order is not tracked (any more), 2 when its generation is another.
local h = redis.call('HMGET', order, 'id', 'left', 'generation', 'waits', 'waits_until')
if not h[1] or h[2] == '1' then return 0 end
if h[3] ~= a.generation then return 2 end
if a.waits == '' then
  redis.call('HDEL', order, 'waits', 'waits_until')
else
  redis.call('HSET', order, 'waits', a.waits, 'waits_until', a['until'])
end
local ran_out = a.waits ~= '' and tonumber(h[5] or 0) <= tonumber(a.now)
if (h[4] or '') ~= a.waits or ran_out then queue_put(a.announce) end
return 1
