-- Starts an attempt of a draft from one of two states, if the draft still has the same attempt.
-- KEYS: draft, unfinished, outstanding
-- ARGS: id, doc, state, attempt, origin, life, now, unfinished, was, from, from_too, nonce
-- USES: draft
-- Returns 1, or 0 if another call was first. A repeated call whose answer was lost gets the same
-- answer.
local kept = redis.call('HMGET', draft, 'state', 'attempt', 'nonce')
if kept[3] == a.nonce then return 1 end
local state, attempt = kept[1] or a.from, kept[2] or a.was
if attempt ~= a.was or state ~= a.from and state ~= a.from_too then return 0 end
draft_write(draft, unfinished, outstanding, a)
redis.call('HSET', draft, 'nonce', a.nonce)
return 1
