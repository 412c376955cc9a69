-- refusal(order, generation) is what a script of the announcer returns at once: -1 when the
-- order is not tracked, 0 when its generation is another; nil: it may go on.
local function refusal(order, generation)
  local is = redis.call('HGET', order, 'generation')
  if not is then return -1 end
  if is ~= generation then return 0 end
end

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
