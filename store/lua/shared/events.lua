-- events_append(order, events, event_ids, new) appends those events to an order's that are
-- not known by their id yet, each an id and a document, and returns the places (from 1) of
-- those that were appended.
local function events_append(order, events, event_ids, new)
  local added = {}
  for i, event in ipairs(new) do
    if redis.call('SADD', event_ids, event.id) == 1 then
      redis.call('RPUSH', events, event.doc)
      added[#added + 1] = i
    end
  end
  redis.call('HSET', order, 'last_event', redis.call('LLEN', events))
  return added
end
