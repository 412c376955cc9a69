-- Makes a lane of jobs that were brought here, and gives it a token, or lets it wait until it is due. A lane that is
-- here is left as it is: it was moved before.
-- KEYS: fence, stream
-- USES: token
-- Returns 1, or 0 when somebody else moves it.
if redis.call('GET', fence) ~= a.holder then return 0 end
local keys = queue_keys(a.prefix, a.share)
local jobs = keys.lane(a.lane)
if redis.call('EXISTS', jobs) == 1 or redis.call('HEXISTS', keys.tokens, a.lane) == 1 then return 1 end
for _, id in ipairs(a.ids) do
  if redis.call('EXISTS', keys.job(id)) == 1 and not redis.call('ZSCORE', keys.dead, id) then redis.call('RPUSH', jobs, id) end
end
if a.due ~= '' and redis.call('EXISTS', jobs) == 1 then
  redis.call('ZADD', keys.waiting, a.due, a.lane)
  redis.call('HSET', keys.tokens, a.lane, 'waiting')
else
  queue_next(keys, a.lane)
end
return 1
