-- Ends a claim with what becomes of its job: done, wait, idle, retry, dead or back. wait, idle and
-- retry leave the lane among the waiting, the others pass its token on. idle ends at once when the lane was woken meanwhile. begun says that the next
-- delivery is to hear that this one was interrupted.
-- KEYS: stream
-- USES: token, dead
-- CHECKS: fence
-- Returns 1, or 0 when the claim is no longer ours.
local lane, id, verb = a.lane, a.id, a.verb
local job, seen = keys.job(id), keys.seen(id)
redis.call('DEL', claim)
queue_drop(keys, a.entry, lane)
if verb ~= 'done' and not a.begun then redis.call('HDEL', job, 'begun') end

if verb == 'idle' and redis.call('SREM', keys.woken, lane) == 1 then
  queue_next(keys, lane)
  return 1
end
if verb == 'wait' or verb == 'idle' or verb == 'retry' then
  if verb == 'retry' then
    redis.call('HINCRBY', job, 'failures', 1)
    redis.call('HSET', job, 'reason', a.reason)
  end
  local due = now_ms() + a.after
  redis.call('ZADD', keys.waiting, due, lane)
  redis.call('HSET', job, 'until', string.format('%.0f', due))
  redis.call('HSET', keys.tokens, lane, verb == 'idle' and 'idle' or 'waiting')
  return 1
end
if verb == 'done' or verb == 'dead' then
  redis.call('LREM', keys.lane(lane), 1, id)
  if redis.call('PEXPIRE', seen, a.remember) == 0 then
    redis.call('SET', seen, verb, 'PX', a.remember)
  end
end
if verb == 'done' then redis.call('DEL', job) end
if verb == 'dead' then
  local now = now_ms()
  redis.call('HINCRBY', job, 'failures', 1)
  redis.call('HSET', job, 'reason', a.reason)
  queue_bury(keys, id, now)
  redis.call('ZADD', keys.untold, now + a.tell, id)
end
queue_next(keys, lane)
return 1
