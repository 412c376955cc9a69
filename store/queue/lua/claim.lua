-- Takes hold of the lane whose token is an entry of the stream, for a lease, and delivers
-- its first job. Whoever read the entry with its lane says which one it is; the lane is '' when
-- only the entry is known.
-- KEYS: stream
-- USES: token
-- Returns id, lane, kind, body, put, failures, deliveries, state, run it was accepted in,
-- run of now, now in ms, 1 when the delivery before was interrupted, trace, when it was due if it was put
-- for later, until when it waited last; or nothing when there is nothing to do: the entry is gone (and its lane unknown), is not the lane's token, the lane is
-- empty, or another claim on it lives (then the entry's idle time is set so that it is found when that claim ends).
local keys, entry = queue_keys(a.prefix, a.share), a.entry
local lane = a.lane ~= '' and a.lane or queue_lane(keys, entry)
if not lane then redis.call('XACK', keys.stream, 'workers', entry) return {} end
if redis.call('HGET', keys.tokens, lane) ~= entry then queue_drop(keys, entry, lane) return {} end

local claim = keys.claim(lane)
local holder = redis.call('GET', claim)
if holder and holder ~= a.fence then
  local idle = math.max(0, a.lease - redis.call('PTTL', claim))
  redis.pcall('XCLAIM', keys.stream, 'workers', a.consumer, 0, entry, 'IDLE', idle, 'JUSTID')
  return {}
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
  redis.call('HDEL', keys.tokens, lane)
  queue_drop(keys, entry, lane)
  return {}
end

redis.call('SET', claim, a.fence, 'PX', a.lease)
redis.pcall('XCLAIM', keys.stream, 'workers', a.consumer, 0, entry, 'JUSTID')
local deliveries = string.format('%.0f', (tonumber(j[8]) or 0) + 1)
redis.call('HSET', keys.job(id), 'deliveries', deliveries, 'begun', 1)
return {
  id, lane, j[1] or '', j[2] or '', j[3] or '0', j[4] or '0', deliveries, j[5] or '', j[6] or '',
  queue_run(), string.format('%.0f', now_ms()), j[7] or '', j[9] or '', j[10] or '', j[11] or '',
}
