-- draft_outstanding(outstanding, a) updates the index of drafts that are being placed or may be out. Each draft that
-- leaves it also removes the expired ones.
local function draft_outstanding(outstanding, a)
  if a.state == 'placing' or a.state == 'unknown' then
    redis.call('ZADD', outstanding, a.now + a.life, a.id)
  else
    redis.call('ZREM', outstanding, a.id)
    redis.call('ZREMRANGEBYSCORE', outstanding, '-inf', a.now)
  end
end

-- draft_write(draft, unfinished, outstanding, a) saves a draft for so many ms, and updates its indexes. It
-- removes expired drafts from them. a has the arguments of Drafts.write in draft.go.
local function draft_write(draft, unfinished, outstanding, a)
  redis.call('HSET', draft, 'doc', a.doc, 'state', a.state, 'attempt', a.attempt, 'origin', a.origin)
  redis.call('PEXPIRE', draft, a.life)
  if a.unfinished == '1' then
    redis.call('ZADD', unfinished, a.now, a.id)
  else
    redis.call('ZREM', unfinished, a.id)
  end
  redis.call('ZREMRANGEBYSCORE', unfinished, '-inf', a.now - a.life)
  redis.call('PEXPIRE', unfinished, a.life)
  draft_outstanding(outstanding, a)
end
