-- Replaces a document of a workspace or an organisation, and adds the id to the known ones.
-- KEYS: document, workspaces
-- ARGS: id, old, new
-- Returns 1, or 0 if the document has changed.
local now = redis.call('GET', document) or ''
if now ~= a.old and now ~= a.new then return 0 end
redis.call('SET', document, a.new)
redis.call('SADD', workspaces, a.id)
return 1
