-- Has jobs that were brought here join their lanes when they are due.
-- KEYS: fence, stream
-- USES: keys
-- Returns 1, or 0 when somebody else moves them.
if redis.call('GET', fence) ~= a.holder then return 0 end
local keys = queue_keys(a.prefix, a.share)
for _, waits in ipairs(a.later) do
  if redis.call('EXISTS', keys.job(waits.id)) == 1 then redis.call('ZADD', keys.later, waits.at, waits.id) end
end
return 1
