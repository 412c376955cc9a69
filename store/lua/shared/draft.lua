-- draft_write(draft, doc, state, attempt, life) keeps a draft for so many ms.
local function draft_write(draft, doc, state, attempt, life)
  redis.call('HSET', draft, 'doc', doc, 'state', state, 'attempt', attempt)
  redis.call('PEXPIRE', draft, life)
end

-- draft_index(unfinished, a) keeps the person's index true for the draft that has just been
-- written, and forgets the drafts that have expired. a is draftArgs of draft.go.
local function draft_index(unfinished, a)
  if a.unfinished then
    redis.call('ZADD', unfinished, a.now, a.id)
  else
    redis.call('ZREM', unfinished, a.id)
  end
  redis.call('ZREMRANGEBYSCORE', unfinished, '-inf', a.now - a.life)
  redis.call('PEXPIRE', unfinished, a.life)
end
