-- USES: put, token
-- queue_wake(job) ends the idle wait of a job's lane, or any wait when job.force is set. A missing job is put, even
-- while its id is known. A lane that is ready or worked on is recorded: its next idle wait ends at once. It
-- returns 1 when that delivers the job.
local function queue_wake(job)
  local keys = queue_keys(job.prefix, job.share)
  if redis.call('EXISTS', keys.job(job.id)) == 0 then
    redis.call('DEL', keys.seen(job.id))
    return queue_put(job)
  end
  local token = redis.call('HGET', keys.tokens, job.lane)
  if token == 'idle' or token == 'waiting' and job.force then
    redis.call('ZREM', keys.waiting, job.lane)
    queue_token(keys, job.lane)
    return 1
  end
  if token and token ~= 'waiting' then redis.call('SADD', keys.woken, job.lane) end
  return 0
end
