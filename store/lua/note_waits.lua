-- Saves the requests of an order that wait for the service, and when they expire. A job shows them on
-- the card if they changed, or had expired: then the card may no longer show them.
-- KEYS: order
-- USES: put
-- Returns 1, 0 for an untracked order, or 2 for another generation.
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
