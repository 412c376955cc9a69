-- Shrinks a finished order to its snapshot and a short history. An order that is not idle is put
-- off.
-- KEYS: order, events, event_ids, lagging, finished, shrunk, snapshot, lane
-- USES: finished
-- CHECKS: version
-- Returns 1, or 0 for another version, or if the order is not idle.
if not idle(order, lagging, lane, a.id) then put_off(finished, a.id, a.later) return 0 end
local heavy = {order = 1, brief = 1, order_brief = 1, delivered = 1, intent = 1, told = 1, posting = 1, posting_event = 1, verdicts_due = 1}
local fields, kept = redis.call('HGETALL', order), {}
for i = 1, #fields, 2 do
  if not heavy[fields[i]] and string.sub(fields[i], 1, 6) ~= 'reply:' and string.sub(fields[i], 1, 8) ~= 'verdict:' and string.sub(fields[i], 1, 7) ~= 'follow:' then
    kept[#kept + 1] = fields[i]
    kept[#kept + 1] = fields[i + 1]
  end
end
redis.call('DEL', order, events, event_ids)
redis.call('HSET', order, unpack(kept))
redis.call('HSET', order, 'adopted', 1, 'shrunk', 1, 'last_event', #a.history, 'announced', #a.history)
for _, event in ipairs(a.history) do redis.call('RPUSH', events, event) end
redis.call('SET', snapshot, a.snapshot)
rest(finished, shrunk, a.id)
return 1
