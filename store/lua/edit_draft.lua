-- Keeps a draft in place of the very document that was changed.
-- KEYS: draft, unfinished, outstanding
-- ARGS: id, doc, state, attempt, origin, life, now, unfinished, before
-- USES: draft
-- Returns 1, also when this very change is kept already, or 0 when what is kept is another
-- document.
local kept = redis.call('HGET', draft, 'doc')
if kept == a.doc then return 1 end
if kept ~= a.before then return 0 end
draft_write(draft, unfinished, outstanding, a)
return 1
