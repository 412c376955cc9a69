-- Adds the photos of an inspected delivery to those of its order, once a round.
-- KEYS: order
-- CHECKS: generation
-- Returns 1, -1 for an untracked order, or 0 for another generation.
local round, photos, faulty = string.match(redis.call('HGET', order, 'inspected') or '', '^(%d+) (%d+) (%d+)$')
if tonumber(round or 0) >= tonumber(a.round) then return 1 end
redis.call('HSET', order, 'inspected', string.format('%d %d %d', a.round, (photos or 0) + a.photos, (faulty or 0) + a.faulty))
return 1
