-- Replaces a draft if it still has the document that was read.
-- KEYS: draft, unfinished, outstanding
-- ARGS: id, doc, state, attempt, origin, life, now, unfinished, before
-- USES: draft
-- Returns 1, also if the draft has the new document already, or 0 if it has another one.
local now = redis.call('HGET', draft, 'doc')
if now == a.doc then return 1 end
if now ~= a.before then return 0 end
draft_write(draft, unfinished, outstanding, a)
return 1
