-- draft_write(draft, unfinished, a) keeps a draft, and the person's index true for it, for so many
-- ms; it forgets the drafts that have expired. a is what writeDraft of draft.go gives.
local function draft_write(draft, unfinished, a)
  redis.call('HSET', draft, 'doc', a.doc, 'state', a.state, 'attempt', a.attempt, 'origin', a.origin)
  redis.call('PEXPIRE', draft, a.life)
  if a.unfinished == '1' then
    redis.call('ZADD', unfinished, a.now, a.id)
  else
    redis.call('ZREM', unfinished, a.id)
  end
  redis.call('ZREMRANGEBYSCORE', unfinished, '-inf', a.now - a.life)
  redis.call('PEXPIRE', unfinished, a.life)
end
