-- posted(order, event) removes the mark of that post.
local function posted(order, event)
  if redis.call('HGET', order, 'posting_event') == event then
    redis.call('HDEL', order, 'posting', 'posting_event')
  end
end

-- caught_up(order, lagging, id) takes an order off the index "lagging" if its channel shows everything.
local function caught_up(order, lagging, id)
  local h = redis.call('HMGET', order, 'announced', 'last_event', 'card_version', 'version')
  if tonumber(h[1] or 0) >= tonumber(h[2] or 0) and tonumber(h[3] or 0) >= tonumber(h[4]) then
    redis.call('SREM', lagging, id)
  end
end
