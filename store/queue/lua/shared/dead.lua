-- USES: keys
-- queue_bury(keys, id, at) adds a job to the dead letters of the queue and of its tenant.
local function queue_bury(keys, id, at)
  local tenant = queue_tenant(keys, id)
  redis.call('ZADD', keys.dead, at, id)
  if tenant then redis.call('ZADD', keys.dead_of(tenant), at, id) end
end

-- queue_unbury(keys, id) removes a job from the dead letters. It returns whether it was there.
local function queue_unbury(keys, id)
  local tenant = queue_tenant(keys, id)
  if tenant then redis.call('ZREM', keys.dead_of(tenant), id) end
  redis.call('ZREM', keys.untold, id)
  return redis.call('ZREM', keys.dead, id) == 1
end
