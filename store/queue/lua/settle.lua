-- Ends a claim with its job's outcome: done, wait, idle, retry, dead or back. After wait, idle and retry the lane
-- waits; after the others it gets a new token. A lane that was woken meanwhile does not idle; a recurring job in
-- it is delivered again instead of done. With begun, the next delivery is told that this one was interrupted.
-- KEYS: stream
-- USES: token, dead
-- CHECKS: fence
-- Returns 1, or 0 when the claim is lost.
local lane, id, verb = a.lane, a.id, a.verb
local job, seen, begun = keys.job(id), keys.seen(id), a.begun and 1 or ''
local woken = (verb == 'idle' or verb == 'done' and keys.share < 0) and redis.call('SREM', keys.woken, lane) == 1
if verb == 'done' and not woken then redis.call('DEL', claim, job) else redis.call('DEL', claim) end
queue_drop(keys, a.entry, lane)

if woken then
  redis.call('HSET', job, 'begun', begun)
  queue_token(keys, lane)
  return 1
end
if verb == 'wait' or verb == 'idle' or verb == 'retry' then
  if verb == 'retry' then
    redis.call('HINCRBY', job, 'failures', 1)
    redis.call('HSET', job, 'reason', a.reason)
  end
  local due = now_ms() + a.after
  redis.call('ZADD', keys.waiting, due, lane)
  redis.call('HSET', job, 'until', string.format('%.0f', due), 'begun', begun)
  redis.call('HSET', keys.tokens, lane, verb == 'idle' and 'idle' or 'waiting')
  return 1
end
if verb == 'done' or verb == 'dead' then
  redis.call('LREM', keys.lane(lane), 1, id)
  if redis.call('PEXPIRE', seen, a.remember) == 0 then
    redis.call('SET', seen, verb, 'PX', a.remember)
  end
end
if verb == 'dead' then
  local now = now_ms()
  redis.call('HINCRBY', job, 'failures', 1)
  redis.call('HSET', job, 'reason', a.reason, 'begun', begun)
  queue_bury(keys, id, now)
  redis.call('ZADD', keys.untold, now + a.tell, id)
end
queue_next(keys, lane)
return 1
