-- Takes a reader's slot to read messages, if it has come. Otherwise it returns the time until the slot.
-- The hash has "next", the time of the next slot, and for each waiting reader "w:NAME" with "LATE SINCE BACK":
-- whether its priority is low, since when it waits, and when it should come back. A reader that is grace ms
-- late holds up no others; it keeps its place in the line for keep ms. A reader goes at once if no reader
-- before it is due, even if others have waited longer: they come back later.
-- KEYS: reads
-- USES: time
-- Returns the ms until the slot; 0: it is taken; -1: there is no limit.
local due = redis.call('HGET', reads, 'next')
if not due then return -1 end
local now, all = now_ms(), redis.call('HGETALL', reads)
local every, grace = tonumber(a.every), tonumber(a.grace)
local me, late = 'w:' .. a.who, a.late and 1 or 0
local since, ahead, here = now, 0, 0
local before = redis.call('HGET', reads, me)
if before then since = tonumber(string.match(before, '^%d (%d+)') or now) end
for i = 1, #all, 2 do
  local l, s, back = string.match(all[i + 1], '^(%d) (%d+) (%d+)$')
  if back and all[i] ~= me then
    l, s, back = tonumber(l), tonumber(s), tonumber(back)
    if back + a.keep < now then
      redis.call('HDEL', reads, all[i])
    elseif back + grace < now then
      -- perhaps its lane is busy
    elseif l < late or l == late and (s < since or s == since and all[i] < me) then
      ahead = ahead + 1
      if back <= now then here = here + 1 end
    end
  end
end
local free = math.max(tonumber(due) - now, 0)
if free == 0 and here == 0 then
  redis.call('HDEL', reads, me)
  redis.call('HSET', reads, 'next', string.format('%.0f', now + every))
  return 0
end
local wait = free + ahead * every
if wait == 0 then wait = every end
if a.wait then
  redis.call('HSET', reads, me, string.format('%d %.0f %.0f', late, since, now + wait))
end
return wait
