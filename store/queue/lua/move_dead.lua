-- Puts jobs that were brought here among the dead, when they died, and among the untold those that nobody was told of.
-- KEYS: fence, stream
-- USES: dead
-- Returns 1, or 0 when somebody else moves them.
if redis.call('GET', fence) ~= a.holder then return 0 end
local keys = queue_keys(a.prefix, a.share)
for _, letter in ipairs(a.letters) do
  if redis.call('EXISTS', keys.job(letter.id)) == 1 then
    queue_bury(keys, letter.id, letter.at)
    if letter.tell ~= '' then redis.call('ZADD', keys.untold, letter.tell, letter.id) end
  end
end
return 1
