-- Gives the lanes that have waited long enough their tokens back, and moves the jobs that
-- were put for later, and are due, into their lanes; a hundred of each at most.
-- KEYS: stream
-- USES: token
-- Returns the ms until something is due: 0 when it stopped with more to do, -1 when nothing
-- waits.
local keys, now, batch = queue_keys(a.prefix, a.share), now_ms(), 100

local lanes = redis.call('ZRANGEBYSCORE', keys.waiting, '-inf', now, 'LIMIT', 0, batch)
for _, lane in ipairs(lanes) do
  redis.call('ZREM', keys.waiting, lane)
  local token = redis.call('HGET', keys.tokens, lane)
  if token == 'waiting' or token == 'idle' then queue_next(keys, lane) end
end

local ids = redis.call('ZRANGEBYSCORE', keys.later, '-inf', now, 'LIMIT', 0, batch)
for _, id in ipairs(ids) do
  redis.call('ZREM', keys.later, id)
  local lane = redis.call('HGET', keys.job(id), 'lane')
  if lane then queue_append(keys, lane, id) end
end

if #lanes == batch or #ids == batch then return 0 end
local due = -1
for _, set in ipairs({keys.waiting, keys.later}) do
  local first = redis.call('ZRANGE', set, 0, 0, 'WITHSCORES')
  if first[2] then
    local left = math.max(1, tonumber(first[2]) - now)
    if due < 0 or left < due then due = left end
  end
end
return due
