-- Looks when the next turn to post to a channel is.
-- KEYS: turn
-- Returns the ms until then.
local turn = unpack(KEYS)
return turn_left(turn, now_ms())
