-- Claims the lane of a stream entry for a lease, and delivers the lane's first job. The lane is '' when it is not
-- known.
-- KEYS: stream
-- USES: token
-- Returns id, lane, kind, body, put, failures, deliveries, state, the run it was put in, the present run, now in ms,
-- 1 after an interrupted delivery, trace, due time of a delayed job, end of its last wait.
-- Returns nothing when the entry is gone or is not the lane's token, or the lane is empty or claimed by another
-- worker. In the last case the entry's idle time ends with that claim.
local keys, entry = queue_keys(a.prefix, a.share), a.entry
local lane = a.lane ~= '' and a.lane or queue_lane(keys, entry)
if not lane then redis.call('XACK', keys.stream, 'workers', entry) return {} end
if redis.call('HGET', keys.tokens, lane) ~= entry then queue_drop(keys, entry, lane) return {} end

local claim = keys.claim(lane)
if not redis.call('SET', claim, a.fence, 'PX', a.lease, 'NX') then
  if redis.call('GET', claim) ~= a.fence then
    local idle = math.max(0, a.lease - redis.call('PTTL', claim))
    redis.pcall('XCLAIM', keys.stream, 'workers', a.consumer, 0, entry, 'IDLE', idle, 'JUSTID')
    return {}
  end
  redis.call('PEXPIRE', claim, a.lease) -- the client repeats the call, since its answer was lost
end

local jobs = keys.lane(lane)
local id = redis.call('LINDEX', jobs, 0)
local function read_job()
  return redis.call('HMGET', keys.job(id), 'kind', 'body', 'put', 'failures', 'state', 'run', 'begun', 'deliveries', 'trace', 'due', 'until')
end
local j = id and read_job()
while id and not j[1] and redis.call('EXISTS', keys.job(id)) == 0 do
  redis.call('LPOP', jobs)
  id = redis.call('LINDEX', jobs, 0)
  j = id and read_job()
end
if not id then
  redis.call('DEL', claim)
  redis.call('HDEL', keys.tokens, lane)
  queue_drop(keys, entry, lane)
  return {}
end

local deliveries = string.format('%.0f', (tonumber(j[8]) or 0) + 1)
redis.call('HSET', keys.job(id), 'deliveries', deliveries, 'begun', 1)
return {
  id, lane, j[1] or '', j[2] or '', j[3] or '0', j[4] or '0', deliveries, j[5] or '', j[6] or '',
  keys.share < 0 and '' or queue_run(), string.format('%.0f', now_ms()), j[7] or '', j[9] or '', j[10] or '', j[11] or '',
}
