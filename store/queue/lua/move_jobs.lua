-- Names the lanes of jobs that were brought here from another queue. Whoever was accepted in the run that lasts there
-- is of this one here: nothing was lost.
-- KEYS: fence, stream
-- USES: keys, run
-- Returns 1, or 0 when somebody else moves them.
if redis.call('GET', fence) ~= a.holder then return 0 end
local keys, now = queue_keys(a.prefix, a.share), queue_run()
for _, moved in ipairs(a.jobs) do
  local job = keys.job(moved.id)
  if redis.call('EXISTS', job) == 1 then
    redis.call('HSET', job, 'lane', moved.lane)
    if a.run ~= '' and redis.call('HGET', job, 'run') == a.run then redis.call('HSET', job, 'run', now) end
  end
end
return 1
