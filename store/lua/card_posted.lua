-- Records the card that is out, and the version that it shows. One message never goes back
-- to an older version. The thread of a former card stays the order's for a while.
-- KEYS: order, lagging, thread, new_thread
-- USES: announcer
-- CHECKS: generation
-- Returns 1, -1 when the order is not tracked, 0 when its generation is another, 2 when
-- thread is that of another card than the order's.
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
