-- Records that an event is out, with its reply unless that was left out, and moves the
-- watermark up to it. The watermark never goes back.
-- KEYS: order, lagging
-- USES: announcer
-- CHECKS: generation
-- Returns 1, -1 for an untracked order, or 0 for another generation.
if tonumber(redis.call('HGET', order, 'announced') or 0) < tonumber(a.event) then
  redis.call('HSET', order, 'announced', a.event)
end
if a.reply ~= '' then redis.call('HSET', order, 'reply:' .. a.event, a.reply) end
posted(order, a.event)
caught_up(order, lagging, a.id)
return 1
