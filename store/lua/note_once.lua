-- Keeps a note under a name that must be new.
-- KEYS: note
-- Returns 1 when it is kept now, 0 when another is.
local note = unpack(KEYS)
local a = cjson.decode(ARGV[1])
if redis.call('GET', note) == a.value then return 1 end
if redis.call('SET', note, a.value, 'NX', 'PX', a.life) then return 1 end
return 0
