-- Drops reported dead letters that are older than age, at most most of them; with tenant, only that tenant's.
-- KEYS: stream
-- USES: dead, time
-- Returns 1.
local keys = queue_keys(a.prefix, a.share)
local dead = a.tenant ~= '' and keys.dead_of(a.tenant) or keys.dead
local old = redis.call('ZRANGEBYSCORE', dead, '-inf', now_ms() - a.age, 'LIMIT', 0, a.most)
for _, id in ipairs(old) do
  if not redis.call('ZSCORE', keys.untold, id) then
    queue_unbury(keys, id)
    redis.call('DEL', keys.job(id))
  end
end
return 1
