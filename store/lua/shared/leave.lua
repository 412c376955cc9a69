-- USES: put
-- leave_place(order, thread, job) removes the card and the thread in the old channel from the
-- order. It puts the leave job if the app may have posted there. thread is the key of the
-- order's card.
local function leave_place(order, thread, job)
  local body, replies = cjson.decode(job.body), {}
  local forget = {'card_ts', 'card_version', 'posting', 'posting_event', 'root', 'batch'}
  local fields = redis.call('HGETALL', order)
  for i = 1, #fields, 2 do
    local field, value = fields[i], fields[i + 1]
    if field == 'card_ts' then
      body.card_ts = value
    elseif field == 'root' then
      body.root = value
    elseif field == 'posting' then
      body.posting = cjson.decode(value)
    elseif string.sub(field, 1, 6) == 'reply:' then
      forget[#forget + 1] = field
      local reply = cjson.decode(value)
      local for_now = string.sub(reply.ended or '', 1, 4) == 'now:' -- it would say so for ever
      if reply.buttons or reply.ownerless or for_now then replies[#replies + 1] = reply end
    end
  end
  redis.call('HDEL', order, unpack(forget))
  if body.card_ts == '' and not body.posting then return end
  redis.call('DEL', thread)
  table.sort(replies, function(a, b) return a.event < b.event end)
  if #replies > 0 then body.replies = replies end
  job.body = cjson.encode(body)
  queue_put(job)
end

-- other_card(order, card) reports whether the order has another card than that: one that was
-- posted since the order was read.
local function other_card(order, card)
  return (redis.call('HGET', order, 'card_ts') or '') ~= card
end
