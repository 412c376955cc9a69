-- Ends the waits of the lanes with the latest due times, at most a hundred.
-- KEYS: stream
-- USES: token
-- Returns their number.
local keys = queue_keys(a.prefix, a.share)
local lanes = redis.call('ZRANGE', keys.waiting, -100, -1)
for _, lane in ipairs(lanes) do
  redis.call('ZREM', keys.waiting, lane)
  queue_next(keys, lane)
end
return #lanes
