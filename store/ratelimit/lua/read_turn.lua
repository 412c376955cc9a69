-- Takes somebody's turn to read messages where Slack takes one such call at a time, when it has come, or says
-- how long until then. The hash has "next", when the next call may be made, and for each who waits, by "w:" and
-- their name, "LATE SINCE BACK": whether they let all others go first, since when they wait, and when they were
-- told to come back. For who did not, for so many ms (grace), nobody waits; their place is theirs for so many (keep). Who comes while nobody before them is
-- due goes, even if others wait longer: they would not come yet.
-- KEYS: reads
-- USES: time
-- Returns the ms until the turn, 0: it is taken; -1: nothing is limited.
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
      -- perhaps their lane is busy
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
