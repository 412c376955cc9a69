-- Moves a draft on, from one of two states, if it is still at the same attempt.
-- KEYS: draft, unfinished, outstanding
-- ARGS: id, doc, state, attempt, origin, life, now, unfinished, was, from, from_too, nonce
-- USES: draft
-- Returns 1 when moved, 0 when somebody else was first. A call that is sent again because its
-- answer was lost gets the same answer.
local kept = redis.call('HMGET', draft, 'state', 'attempt', 'nonce')
if kept[3] == a.nonce then return 1 end
local state, attempt = kept[1] or a.from, kept[2] or a.was
if attempt ~= a.was or state ~= a.from and state ~= a.from_too then return 0 end
draft_write(draft, unfinished, outstanding, a)
redis.call('HSET', draft, 'nonce', a.nonce)
return 1
