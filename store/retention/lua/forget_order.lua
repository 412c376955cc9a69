-- Replaces documents of an order that named a forgotten person, unless one of them has changed. The order's
-- version grows, so that older reads cannot write the person back. While the card can change, a job edits
-- it. Events have their index in the list, from 0.
-- KEYS: order, events, snapshot, active, lagging, requester_orders, former_orders
-- USES: put, wake
-- CHECKS: version
-- Returns 1, 0 for another version, or 2 if a document has changed.
for _, f in ipairs(a.fields) do
  if (redis.call('HGET', order, f.name) or '') ~= f.was then return 2 end
end
for _, e in ipairs(a.events) do
  if redis.call('LINDEX', events, e.at) ~= e.was then return 2 end
end
if a.snapshot_is ~= '' and redis.call('GET', snapshot) ~= a.snapshot_was then return 2 end

redis.call('HSET', order, 'version', a.version + 1)
for _, f in ipairs(a.fields) do
  if f.is == '' then redis.call('HDEL', order, f.name) else redis.call('HSET', order, f.name, f.is) end
end
for _, e in ipairs(a.events) do redis.call('LSET', events, e.at, e.is) end
if a.snapshot_is ~= '' then redis.call('SET', snapshot, a.snapshot_is) end

local asked = redis.call('ZSCORE', requester_orders, a.id)
if a.requested and asked then
  redis.call('ZREM', requester_orders, a.id)
  redis.call('ZADD', former_orders, asked, a.id)
end
if a.active ~= '' then
  redis.call('HSET', active, a.id, a.active)
  redis.call('SADD', lagging, a.id)
  queue_put(a.announce)
  queue_wake(a.poll)
end
return 1
