-- Looks at the first job of each lane, of so many lanes at most.
-- KEYS: stream
-- USES: keys, time
-- READS: only
-- Returns how many lanes are put off, the time in ms, and two lists: by kind, when the oldest of them was
-- due, in ms; and of those of the wanted kinds that were delivered and keep something: kind and state.
local keys, oldest, wanted, kept, ages = queue_keys(a.prefix), {}, {}, {}, {}
for _, kind in ipairs(a.kinds) do wanted[kind] = true end
for n, lane in ipairs(redis.call('HKEYS', keys.tokens)) do
  if n > tonumber(a.most) then break end
  local id = redis.call('LINDEX', keys.lane(lane), 0)
  local job = id and redis.call('HMGET', keys.job(id), 'kind', 'put', 'due')
  local kind, due = job and job[1], job and tonumber(job[3] or job[2])
  if kind and due then
    oldest[kind] = math.min(oldest[kind] or due, due)
    local state = wanted[kind] and redis.call('HGET', keys.job(id), 'state')
    if state then
      kept[#kept + 1] = kind
      kept[#kept + 1] = state
    end
  end
end
for kind, due in pairs(oldest) do
  ages[#ages + 1] = kind
  ages[#ages + 1] = string.format('%.0f', due)
end
return { redis.call('ZCARD', keys.waiting), string.format('%.0f', now_ms()), ages, kept }
