-- Moves a draft that is in one of two states on: under its attempt, or under the next one
-- when its outcome was unknown.
-- KEYS: draft, unfinished
-- USES: draft
-- Returns 1 when moved at this attempt, 2 at the next one, 0 when somebody else was first. A
-- call that is sent again because its answer was lost gets the same answer.
local kept = redis.call('HMGET', draft, 'state', 'attempt', 'nonce', 'moved')
if kept[3] == a.nonce then return tonumber(kept[4]) end
local state, attempt, moved = kept[1] or a.from, kept[2] or a.attempt, 1
if attempt ~= a.attempt or state ~= a.from and state ~= a.from_too then return 0 end
if state == 'unknown' then a.attempt, a.doc, moved = attempt + 1, a.doc_again, 2 end
draft_write(draft, unfinished, a)
redis.call('HSET', draft, 'nonce', a.nonce, 'moved', moved)
return moved
