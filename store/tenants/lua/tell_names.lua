-- Claims for a job that it tells of an account which keeps names of its own.
-- KEYS: connection
-- ARGS: of, by
-- Returns 1, or 0 when there is nothing to tell or another job tells it.
local found = redis.call('HMGET', connection, 'names_of', 'names_own', 'names_told')
if found[1] ~= a.of or not found[2] or found[3] and found[3] ~= a.by then return 0 end
redis.call('HSET', connection, 'names_told', a.by)
return 1
