-- Saves verdicts on images of an order, each a field with a document, and deletes verdicts on outdated edits. A
-- job shows them in the channel at once, then every pace ms at most: while a job is waiting, no further one
-- is put. A due job counts as started, because it may have read the order already. The order's version stays.
-- KEYS: order
-- USES: put
-- CHECKS: version
-- Returns 1, or 0 for another version.
for _, field in ipairs(a.over) do redis.call('HDEL', order, field) end
for _, v in ipairs(a.verdicts) do redis.call('HSET', order, v.field, v.doc) end
local now, due = now_ms(), tonumber(redis.call('HGET', order, 'verdicts_due') or 0)
if due > now then return 1 end
due = math.max(now, due + tonumber(a.pace))
redis.call('HSET', order, 'verdicts_due', string.format('%.0f', due))
a.announce.id = a.announce.id .. string.format('%.0f', due)
a.announce.delay = due - now
queue_put(a.announce)
return 1
