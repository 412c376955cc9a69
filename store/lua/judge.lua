-- Notes what somebody thinks of images of an order, each a field and a document, and forgets what was
-- thought of edits that are the newest no longer. The channel is shown it at once, and then once in so many
-- ms at most, however many judge meanwhile: while a job is to come that shows it, there is no other. By the
-- clock of Redis a job that is due may have read the order already. It is no change of the order: the
-- version stays.
-- KEYS: order
-- USES: put
-- CHECKS: version
-- Returns 1, or 0 when the version is another.
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
