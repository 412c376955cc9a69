-- Writes a document of a workspace or an organisation in place of what was read, and notes whose it is. Of an
-- installation it notes, too, whether somebody renews its token: yes or no; '' of any other document.
-- KEYS: document, workspaces, renewing
-- ARGS: id, old, new, renewing
-- Returns 1, or 0 when it is another than what was read.
local now = redis.call('GET', document) or ''
if now ~= a.old and now ~= a.new then return 0 end
redis.call('SET', document, a.new)
redis.call('SADD', workspaces, a.id)
if a.renewing == 'yes' then redis.call('SADD', renewing, a.id) end
if a.renewing == 'no' then redis.call('SREM', renewing, a.id) end
return 1
