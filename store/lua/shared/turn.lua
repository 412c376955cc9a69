-- turn_left(turn, now) returns the ms until a channel's next turn; 0: now.
local function turn_left(turn, now)
  return math.max(0, tonumber(redis.call('GET', turn) or 0) - now)
end

-- turn_hold(turn, now, ms) says that there is no turn for that long.
local function turn_hold(turn, now, ms)
  if ms > turn_left(turn, now) then redis.call('SET', turn, now + ms, 'PX', ms) end
end
