-- Erases what is known of a workspace or an organisation. With an installation, "" for none, only while that is kept.
-- KEYS: installation, account, workspaces
-- Returns 1, or 0 when nothing was known, or the installation is another one.
if a.installation and (redis.call('GET', installation) or '') ~= a.installation then return 0 end
redis.call('DEL', installation, account)
return redis.call('SREM', workspaces, a.id)
