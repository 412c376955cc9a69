-- Notes that a replica is here for a while, and forgets those whose time is over.
-- KEYS: replicas
-- USES: time
-- Returns {its place among them, from 0 and by their names, how many they are}.
local now = now_ms()
redis.call('ZREMRANGEBYSCORE', replicas, '-inf', now)
redis.call('ZADD', replicas, now + a.life, a.name)
redis.call('PEXPIRE', replicas, a.life)
local all, place = redis.call('ZRANGE', replicas, 0, -1), 0
for _, name in ipairs(all) do
  if name < a.name then place = place + 1 end
end
return {place, #all}
