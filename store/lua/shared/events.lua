-- events_append(order, events, event_ids, new) appends the events with new ids to an order's
-- list. Each event is an id and a document. It returns the indexes (from 1) of the appended
-- ones.
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
