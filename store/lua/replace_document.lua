-- Writes a document of a workspace or an organisation in place of what was read, and notes whose it is.
-- KEYS: document, workspaces
-- ARGS: id, old, new
-- Returns 1, or 0 when it is another than what was read.
local now = redis.call('GET', document) or ''
if now ~= a.old and now ~= a.new then return 0 end
redis.call('SET', document, a.new)
redis.call('SADD', workspaces, a.id)
return 1
