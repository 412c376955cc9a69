-- Records that an event is out, with the reply that tells of it if there is one, and moves
-- the watermark up to it. The watermark never goes back.
-- KEYS: order, lagging
-- USES: announcer
-- CHECKS: generation
-- Returns 1, -1 when the order is not tracked, 0 when its generation is another.
if tonumber(redis.call('HGET', order, 'announced') or 0) < tonumber(a.event) then
  redis.call('HSET', order, 'announced', a.event)
end
if a.reply ~= '' then redis.call('HSET', order, 'reply:' .. a.event, a.reply) end
posted(order, a.event)
caught_up(order, lagging, a.id)
return 1
