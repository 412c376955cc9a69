-- USES: keys, run, time
-- queue_token(keys, lane) gives the lane a new token at the end of the stream. A lane of a tenant whose share is used
-- up is parked behind its others.
local function queue_token(keys, lane)
  local tenant = queue_sharer(keys, lane)
  if tenant and redis.call('HINCRBY', keys.shares, tenant, 1) > keys.share then
    redis.call('HINCRBY', keys.shares, tenant, -1)
    redis.call('RPUSH', keys.parked(tenant), lane)
    redis.call('HSET', keys.tokens, lane, 'parked')
    return
  end
  local entry = redis.call('XADD', keys.stream, '*', 'lane', lane)
  redis.call('HSET', keys.tokens, lane, entry)
end

-- queue_append(keys, lane, id) adds a job to its lane, and gives an empty lane a token.
local function queue_append(keys, lane, id)
  redis.call('RPUSH', keys.lane(lane), id)
  if redis.call('HEXISTS', keys.tokens, lane) == 0 then queue_token(keys, lane) end
end

-- queue_put(job) puts a job, given as PutArgs of put.go. It returns 1, or 0 when the job's id is known. A put that is
-- repeated because its answer was lost has the same nonce, and returns 1 again.
local function queue_put(job)
  local keys, delay = queue_keys(job.prefix, job.share), tonumber(job.delay)
  local known, seen = keys.job(job.id), keys.seen(job.id)
  if redis.call('EXISTS', known) == 1
    or not redis.call('SET', seen, job.nonce, 'PX', job.remember, 'NX') then
    return redis.call('GET', seen) == job.nonce and 1 or 0
  end
  local now = now_ms()
  redis.call('HSET', known, 'lane', job.lane, 'kind', job.kind, 'body', job.body,
    'put', now, 'run', keys.share < 0 and '' or queue_run(), 'failures', 0, 'deliveries', 0, 'trace', job.trace)
  if delay > 0 then
    redis.call('HSET', known, 'due', now + delay)
    redis.call('ZADD', keys.later, now + delay, job.id)
  else
    queue_append(keys, job.lane, job.id)
  end
  return 1
end
