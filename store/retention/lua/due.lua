-- Finds the orders whose time is over, a.most of each kind at most. It writes nothing.
-- KEYS: finished, shrunk
-- USES: time
-- Returns the ids to shrink, the ids to delete, and the ms until the next order is due, a.longest at most.
local now, over, next_due = now_ms(), {}, tonumber(a.longest)
local function wait_for(list, keep, found)
  local first = redis.call('ZRANGE', list, #found, #found, 'WITHSCORES')
  if first[2] then next_due = math.min(next_due, math.max(0, tonumber(first[2]) + keep - now)) end
end
local full = redis.call('ZRANGEBYSCORE', finished, '-inf', now - a.full, 'LIMIT', 0, a.most)
wait_for(finished, a.full, full)
if a.keep ~= '0' then
  over = redis.call('ZRANGEBYSCORE', shrunk, '-inf', now - a.keep, 'LIMIT', 0, a.most)
  wait_for(shrunk, a.keep, over)
end
return {full, over, next_due}
