-- Takes the next turn to post to a channel, when it has come, and puts the one after it off by so
-- many ms; with block it is put off in any case. 0 ms change nothing. Of a turn that is taken late so
-- many ms are forgiven: the next one is put off from when this one was due, as far as they reach, so
-- that a row of turns is as long as its paces.
-- KEYS: turn
-- USES: time
-- Returns the ms until the next turn, as it was; 0: now.
local now, ms, late = now_ms(), tonumber(a.ms), tonumber(a.late)
local due = tonumber(redis.call('GET', turn) or 0)
local left = math.max(0, due - now)
if ms > left and (left == 0 or a.block) then
  local from = a.block and now or math.max(due, now - late)
  redis.call('SET', turn, from + ms, 'PX', from + ms + late - now)
end
return left
