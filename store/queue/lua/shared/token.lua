-- USES: put
-- queue_drop(keys, entry) takes an entry out of the stream and its group.
local function queue_drop(keys, entry)
  redis.call('XACK', keys.stream, 'workers', entry)
  redis.call('XDEL', keys.stream, entry)
end

-- queue_next(keys, lane) gives the lane a new token, or none when it is empty.
local function queue_next(keys, lane)
  if redis.call('EXISTS', keys.lane(lane)) == 1 then
    queue_token(keys, lane)
  else
    redis.call('HDEL', keys.tokens, lane)
  end
end

-- queue_lane(keys, entry) returns the lane that an entry of the stream stands for, nil when
-- there is no such entry.
local function queue_lane(keys, entry)
  local found = redis.call('XRANGE', keys.stream, entry, entry)
  if #found == 0 then return nil end
  return found[1][2][2]
end
