-- Reserves turns to call the service of an account that several workspaces share, at one pace. Times are in µs.
-- What it keeps is "PEOPLE ALL": until when the turns of people, and until when all turns are given out at that
-- pace. People wait for people only, and may be a burst ahead; others wait for all. A turn comes behind those that
-- were reserved before, and no further ahead than so much. More than can be given out is what a clock that
-- jumped has left: it is forgotten.
-- KEYS: turns
-- Returns the µs until the first turn; or, when none was reserved, those until asking again makes sense, as a
-- negative number.
local t = redis.call('TIME')
local now = t[1] * 1000000 + t[2]
local every, burst, ahead, count = tonumber(a.every), tonumber(a.burst), tonumber(a.ahead), tonumber(a.count)
local people, all = string.match(redis.call('GET', turns) or '', '^(%d+) (%d+)$')
people, all = tonumber(people or 0), tonumber(all or 0)
if people > now + 2 * burst + ahead + every or all > now + 10 * (burst + ahead + count * every) then people, all = 0, 0 end
people, all = math.max(people, now), math.max(all, now)

local wait
if a.people then
  wait = math.max(people + every - now - burst, 0)
  if wait > ahead then return ahead - wait end
  people, all = people + every, all + every
else
  wait = all - now
  if wait > ahead then return ahead - wait end
  all = all + count * every
end
local life = math.ceil((math.max(people, all) - now + burst) / 1000)
redis.call('SET', turns, string.format('%.0f %.0f', people, all), 'PX', life)
return wait
