-- Claims for a job the notice that an account's service changes names.
-- KEYS: connection
-- ARGS: of, by
-- Returns 1, or 0 if there is nothing to notify, or another job has the claim.
local found = redis.call('HMGET', connection, 'names_of', 'names_own', 'names_told')
if found[1] ~= a.of or not found[2] or found[3] and found[3] ~= a.by then return 0 end
redis.call('HSET', connection, 'names_told', a.by)
return 1
