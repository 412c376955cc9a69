-- Takes the next turn to post to a channel, when it has come, and puts the one after it off by so
-- many ms; with block it is put off in any case. 0 ms change nothing.
-- KEYS: turn
-- USES: time
-- Returns the ms until the next turn, as it was; 0: now.
local now, ms = now_ms(), tonumber(a.ms)
local left = math.max(0, tonumber(redis.call('GET', turn) or 0) - now)
if ms > left and (left == 0 or a.block) then redis.call('SET', turn, now + ms, 'PX', ms) end
return left
