-- Drops old dead letters that somebody was told of, so many at most.
-- KEYS: stream
-- USES: keys, time
-- Returns 1.
local keys = queue_keys(a.prefix)
local old = redis.call('ZRANGEBYSCORE', keys.dead, '-inf', now_ms() - a.age, 'LIMIT', 0, a.most)
for _, id in ipairs(old) do
  if not redis.call('ZSCORE', keys.untold, id) then
    redis.call('ZREM', keys.dead, id)
    redis.call('DEL', keys.job(id))
  end
end
return 1
