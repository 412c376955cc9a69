-- Writes a change of an order: its snapshot, its new events, the indexes and the job that
-- announces them. An untracked order is not announced.
-- KEYS: order, events, event_ids, active, lagging, finished, shrunk, spending
-- USES: put, wake, events, ownership, spending
-- Returns {0} for another version, {2} for another intent, else {1, indexes of the new
-- events in the arguments…}.
local was = redis.call('HMGET', order, 'version', 'intent', 'left')
if was[1] ~= a.version then return {0} end
if (was[2] or '') ~= a.intent then return {2} end

local result = events_append(order, events, event_ids, a.events)
redis.call('HSET', order, 'version', a.version + 1, 'order', a.order, 'brief', a.brief,
  'delivered', a.delivered, 'pauses', a.pauses, 'gone', a.gone and 1 or 0, 'milestones', a.milestones)
if a.order_brief ~= '' then redis.call('HSET', order, 'order_brief', a.order_brief) end
if not a.gone then redis.call('HDEL', order, 'missed_since', 'missed_at') end
if a.fulfilled then redis.call('HDEL', order, 'intent') end
if a.spending then spending_note(order, spending, a.spending) end
own_active(active, finished, shrunk, a.id, a.active)
if was[3] ~= '1' then
  redis.call('SADD', lagging, a.id)
  queue_put(a.announce)
  queue_wake(a.poll)
end
table.insert(result, 1, 1)
return result
