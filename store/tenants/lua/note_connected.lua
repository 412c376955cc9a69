-- Saves the account for a workspace's orders from now on, and ends its forgetting, unless that began since the read. The
-- account before counts as the same until Connections.ConfirmConnected.
-- KEYS: connection
-- ARGS: host, print, forgetting
-- Returns 1, or 0 if forgetting has changed since the read.
if (redis.call('HGET', connection, 'forgetting') or '') ~= a.forgetting then return 0 end
local before = redis.call('HGET', connection, 'print')
if before and before ~= a.print then redis.call('HSET', connection, 'before', before) end
if redis.call('HGET', connection, 'names_of') ~= a.print then
  redis.call('HDEL', connection, 'names_of', 'names_own', 'names_letters', 'names_bytes', 'names_told')
end
redis.call('HSET', connection, 'host', a.host, 'print', a.print)
redis.call('HDEL', connection, 'forgetting', 'forgotten', 'removal')
redis.call('PERSIST', connection)
return 1
