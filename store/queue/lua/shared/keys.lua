-- queue_keys(prefix) names what the queue keeps in Redis, as keys.go describes it. All of
-- it shares the slot of the prefix, so a script that learns of a job or a lane only while
-- it runs may name its keys here.
local function queue_keys(prefix)
  return {
    stream = prefix .. 'stream', tokens = prefix .. 'tokens',
    waiting = prefix .. 'waiting', later = prefix .. 'later',
    dead = prefix .. 'dead', untold = prefix .. 'untold',
    lane = function(lane) return prefix .. 'lane:' .. lane end,
    claim = function(lane) return prefix .. 'claim:' .. lane end,
    job = function(id) return prefix .. 'job:' .. id end,
    seen = function(id) return prefix .. 'seen:' .. id end,
  }
end
