-- Erases a workspace or an organisation. With the argument installation, only if that document is unchanged; "" means no
-- document.
-- KEYS: installation, account, workspaces
-- Returns 1, or 0 for an unknown id or a changed installation.
if a.installation and (redis.call('GET', installation) or '') ~= a.installation then return 0 end
redis.call('DEL', installation, account)
return redis.call('SREM', workspaces, a.id)
