-- Gives tokens to the lanes whose wait is over, and moves due jobs into their lanes; twenty of each at most.
-- KEYS: stream
-- USES: token
-- Returns the ms until the next is due: 0 when more may be due now, -1 when nothing waits.
local keys, now, batch = queue_keys(a.prefix, a.share), now_ms(), 20
local next_due = -1

-- take(set) removes the due members of a sorted set and returns them.
local function take(set)
  local first, taken, left = redis.call('ZRANGE', set, 0, batch - 1, 'WITHSCORES'), {}, -1
  for i = 1, #first, 2 do
    left = math.max(0, tonumber(first[i + 1]) - now)
    if left > 0 then break end
    taken[#taken + 1] = first[i]
  end
  if #taken > 0 then redis.call('ZREM', set, unpack(taken)) end
  if left == 0 and #taken < batch then left = -1 end
  if left >= 0 and (next_due < 0 or left < next_due) then next_due = left end
  return taken
end

local lanes = take(keys.waiting)
local tokens = #lanes > 0 and redis.call('HMGET', keys.tokens, unpack(lanes))
for i, lane in ipairs(lanes) do
  if tokens[i] == 'waiting' or tokens[i] == 'idle' then queue_token(keys, lane) end
end

for _, id in ipairs(take(keys.later)) do
  local lane = redis.call('HGET', keys.job(id), 'lane')
  if lane then queue_append(keys, lane, id) end
end
return next_due
