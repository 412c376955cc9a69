-- Gives out turns to call the service, at one pace that all replicas keep. Times are in µs.
-- What it keeps is "PEOPLE ALL END SIZE BATCH": until when the turns of people, and until when all
-- turns that were given out last at that pace; when the latest batch of background turns ends, how
-- long it takes, and its name. People wait for people only, and may be a burst ahead. A batch begins
-- when all turns before it are over. What of the batch before, named so, was not used is taken back;
-- of a batch that another had, what is left of its time: only one works in the background at a time.
-- A batch that was given out already, to a call whose answer was lost, is the same one.
-- More than can be owed is what a clock that jumped has left: it is forgotten.
-- KEYS: turns
-- Returns the µs until the first turn; or, when none was given, those until asking again makes
-- sense, as a negative number.
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
