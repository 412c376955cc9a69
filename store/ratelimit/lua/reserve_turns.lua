-- Reserves slots to call the service for an account that several workspaces share. Times are in µs.
-- The value is "PEOPLE ALL": the end of the slots reserved by people, and of all reserved slots. People wait for
-- people only, and may be a burst ahead; others wait for all. A slot comes after those that were reserved
-- before, and is reserved at most ahead µs early. A value further in the future comes from a clock that
-- jumped and is ignored.
-- KEYS: turns
-- Returns the µs until the first slot. If none was reserved, returns the µs after which to ask again, as a
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
