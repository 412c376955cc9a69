-- Records the order's card, and the version that it shows. A message never goes back to an
-- older version. The thread of a former card leads to the order for a while.
-- KEYS: order, lagging, thread, new_thread
-- USES: announcer
-- CHECKS: generation
-- Returns 1, -1 for an untracked order, 0 for another generation, or 2 if thread belongs to
-- another card of the order.
local card = redis.call('HMGET', order, 'card_ts', 'card_version')
if (card[1] or '') ~= a.former then return 2 end
if card[1] ~= a.ts or tonumber(card[2] or 0) < tonumber(a.version) then
  redis.call('HSET', order, 'card_ts', a.ts, 'card_version', a.version)
end
local own = a.generation .. ':' .. a.id
if card[1] and card[1] ~= a.ts and redis.call('GET', thread) == own then
  redis.call('PEXPIRE', thread, a.former_life)
end
redis.call('SET', new_thread, own)
posted(order, '0')
caught_up(order, lagging, a.id)
return 1
