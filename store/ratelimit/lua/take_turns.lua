-- Reserves slots to call the service, for all replicas. Times are in µs.
-- The value is "PEOPLE ALL END SIZE BATCH": the end of the slots reserved by people, and of all reserved
-- slots; the end of the latest background batch, its length and its name. People wait for people only,
-- and may be a burst ahead. A batch begins after all slots before it. The unused slots of the caller's
-- former batch are taken back. Of another process's batch, the rest of its time is taken back, since only
-- one process at a time works in the background. A request that is repeated because its answer was lost
-- gets the same batch. A value too far in the future comes from a clock that jumped and is ignored.
-- KEYS: turns
-- Returns the µs until the first slot. If none was reserved, returns the µs after which to ask again, as
-- a negative number.
local t = redis.call('TIME')
local now = t[1] * 1000000 + t[2]
local every, burst = tonumber(a.every), tonumber(a.burst)
local people, all, finish, size, batch = string.match(redis.call('GET', turns) or '', '^(%d+) (%d+) (%d+) (%d+) (.*)$')
people, all = tonumber(people or 0), tonumber(all or 0)
if people > now + burst or all > now + 2 * burst + (a.most + 1) * every then people, all = 0, 0 end
people = math.max(people, now)
finish, size, batch = tonumber(finish or 0), tonumber(size or 0), batch or ''

local start = 0
if a.people then
  local over = people + every - now - burst
  if over > 0 then return -over end
  people, all = people + every, math.max(all, now) + every
elseif batch == a.batch then
  return math.max(finish - size - now, 0)
else
  if batch == a.former then
    all = all - a.unused * every
  elseif finish > now then
    all = all - math.min(finish - now, size)
  end
  all = math.max(all, now)
  if all - now > burst then return now + burst - all end
  start, size = all - now, a.count * every
  all = all + size
  finish, batch = all, a.batch
end
local life = math.ceil((math.max(all, finish) - now + burst) / 1000)
redis.call('SET', turns, string.format('%.0f %.0f %.0f %.0f %s', people, all, finish, size, batch), 'PX', life)
return start
