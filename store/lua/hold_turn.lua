-- Says that there is no turn to post to a channel for so long.
-- KEYS: turn
-- Returns 0.
local turn = unpack(KEYS)
local a = cjson.decode(ARGV[1])
turn_hold(turn, now_ms(), tonumber(a.ms))
return 0
