-- posted(order, event) takes the mark of that post away.
local function posted(order, event)
  if redis.call('HGET', order, 'posting_event') == event then
    redis.call('HDEL', order, 'posting', 'posting_event')
  end
end

-- caught_up(order, lagging, id) ends the lag of an order whose channel shows all.
local function caught_up(order, lagging, id)
  local h = redis.call('HMGET', order, 'announced', 'last_event', 'card_version', 'version')
  if tonumber(h[1] or 0) >= tonumber(h[2] or 0) and tonumber(h[3] or 0) >= tonumber(h[4]) then
    redis.call('SREM', lagging, id)
  end
end
