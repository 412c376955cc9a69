-- Takes the next turn to post to a channel.
-- KEYS: turn
-- Returns 0, or the ms until the next turn.
local turn = unpack(KEYS)
local a = cjson.decode(ARGV[1])
local now = now_ms()
local left = turn_left(turn, now)
if left == 0 then turn_hold(turn, now, tonumber(a.ms)) end
return left
