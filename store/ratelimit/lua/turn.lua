-- Takes the slot to post to a channel if it has come; the next slot comes after ms. With block, no slot
-- comes for ms in any case. With ms 0, nothing changes. A slot that is used up to late ms late counts as
-- used in time, so that a row of posts takes no longer than its intervals.
-- KEYS: turn
-- USES: time
-- Returns the ms until the slot before the call; 0: it had come.
local now, ms, late = now_ms(), tonumber(a.ms), tonumber(a.late)
local due = tonumber(redis.call('GET', turn) or 0)
local left = math.max(0, due - now)
if ms > left and (left == 0 or a.block) then
  local from = a.block and now or math.max(due, now - late)
  redis.call('SET', turn, from + ms, 'PX', from + ms + late - now)
end
return left
