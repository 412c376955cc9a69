-- Erases what is known of a workspace or an organisation.
-- KEYS: installation, account, workspaces
-- ARGS: id
-- Returns 1, or 0 when nothing was known.
redis.call('DEL', installation, account)
return redis.call('SREM', workspaces, a.id)
