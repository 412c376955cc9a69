-- USES: put
-- queue_drop(keys, entry, lane) removes a lane's entry from the stream and its group. Then it gives tokens to parked
-- lanes of the same tenant, within its share.
local function queue_drop(keys, entry, lane)
  redis.call('XACK', keys.stream, 'workers', entry)
  local tenant = redis.call('XDEL', keys.stream, entry) == 1 and queue_sharer(keys, lane)
  if not tenant then return end
  local used = redis.call('HINCRBY', keys.shares, tenant, -1)
  if used <= 0 then redis.call('HDEL', keys.shares, tenant) end
  while used < keys.share do
    local parked = redis.call('LPOP', keys.parked(tenant))
    if not parked then return end
    if redis.call('HGET', keys.tokens, parked) == 'parked' then
      queue_token(keys, parked)
      used = used + 1
    end
  end
end

-- queue_next(keys, lane) gives the lane a new token, or none when it is empty.
local function queue_next(keys, lane)
  if redis.call('EXISTS', keys.lane(lane)) == 1 then
    queue_token(keys, lane)
  else
    redis.call('HDEL', keys.tokens, lane)
  end
end

-- queue_lane(keys, entry) returns the lane of a stream entry; nil when there is no such entry.
local function queue_lane(keys, entry)
  local found = redis.call('XRANGE', keys.stream, entry, entry)
  if #found == 0 then return nil end
  return found[1][2][2]
end
