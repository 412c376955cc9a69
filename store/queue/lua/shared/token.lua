-- USES: put
-- queue_unpark(keys, tenant) brings the lanes of a tenant that are parked longest into the stream, as many as its
-- share has room for.
local function queue_unpark(keys, tenant)
  while (tonumber(redis.call('HGET', keys.shares, tenant)) or 0) < keys.share do
    local lane = redis.call('LPOP', keys.parked(tenant))
    if not lane then return end
    if redis.call('HGET', keys.tokens, lane) == 'parked' then queue_token(keys, lane) end
  end
end

-- queue_drop(keys, entry, lane) takes an entry, which stands for that lane, out of the stream and its group, and lets
-- the next lane of the same tenant in.
local function queue_drop(keys, entry, lane)
  redis.call('XACK', keys.stream, 'workers', entry)
  local tenant = redis.call('XDEL', keys.stream, entry) == 1 and queue_tenant(keys, lane)
  if not tenant then return end
  if redis.call('HINCRBY', keys.shares, tenant, -1) <= 0 then redis.call('HDEL', keys.shares, tenant) end
  queue_unpark(keys, tenant)
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
