-- Replaces the records of replies, by the Seq of their event.
-- KEYS: order
-- CHECKS: generation
-- Returns 1, -1 for an untracked order, or 0 for another generation.
for _, reply in ipairs(a.replies) do redis.call('HSET', order, 'reply:' .. reply.event, reply.doc) end
return 1
