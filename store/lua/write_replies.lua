-- Writes replies anew, by the event that each tells of: they look otherwise now.
-- KEYS: order
-- CHECKS: generation
-- Returns 1, -1 when the order is not tracked, 0 when its generation is another.
for _, reply in ipairs(a.replies) do redis.call('HSET', order, 'reply:' .. reply.event, reply.doc) end
return 1
