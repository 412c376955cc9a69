-- Adds what an answer proves about an account's names. It deletes the facts about another account.
-- KEYS: connection
-- ARGS: of, own, letters, bytes
-- Returns the account, 1 if its service changes names, and the characters and bytes that it keeps.
if redis.call('HGET', connection, 'names_of') ~= a.of then
  redis.call('HDEL', connection, 'names_own', 'names_letters', 'names_bytes', 'names_told')
  redis.call('HSET', connection, 'names_of', a.of)
end
if a.own == '1' then redis.call('HSET', connection, 'names_own', '1') end
for field, size in pairs({names_letters = a.letters, names_bytes = a.bytes}) do
  if tonumber(size) > tonumber(redis.call('HGET', connection, field) or '0') then redis.call('HSET', connection, field, size) end
end
local found = redis.call('HMGET', connection, 'names_of', 'names_own', 'names_letters', 'names_bytes')
return {found[1], found[2] or '', found[3] or '', found[4] or ''}
