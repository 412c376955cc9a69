-- draft_outstanding(outstanding, a) keeps the index of drafts true whose order is being placed or may be out. Each draft
-- that leaves it takes those along that have expired.
local function draft_outstanding(outstanding, a)
  if a.state == 'placing' or a.state == 'unknown' then
    redis.call('ZADD', outstanding, a.now + a.life, a.id)
  else
    redis.call('ZREM', outstanding, a.id)
    redis.call('ZREMRANGEBYSCORE', outstanding, '-inf', a.now)
  end
end

-- draft_write(draft, unfinished, outstanding, a) keeps a draft, and the indexes true for it, for so many
-- ms; it forgets the drafts that have expired. a is what writeDraft of draft.go gives.
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
