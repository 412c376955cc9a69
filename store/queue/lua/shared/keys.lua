-- queue_keys(prefix, share) names what the queue keeps in Redis, as keys.go describes it. All of
-- it shares the slot of the prefix, so a script that learns of a job or a lane only while
-- it runs may name its keys here. share is how many tokens of a tenant may be in the stream; 0: there
-- are no tenants.
local function queue_keys(prefix, share)
  return {
    share = tonumber(share),
    stream = prefix .. 'stream', tokens = prefix .. 'tokens',
    waiting = prefix .. 'waiting', woken = prefix .. 'woken', later = prefix .. 'later',
    dead = prefix .. 'dead', untold = prefix .. 'untold', shares = prefix .. 'shares',
    parked = function(tenant) return prefix .. 'parked:' .. tenant end,
    dead_of = function(tenant) return prefix .. 'dead:' .. tenant end,
    lane = function(lane) return prefix .. 'lane:' .. lane end,
    claim = function(lane) return prefix .. 'claim:' .. lane end,
    job = function(id) return prefix .. 'job:' .. id end,
    seen = function(id) return prefix .. 'seen:' .. id end,
  }
end

-- queue_tenant(keys, name) is the tenant that a lane or a job's id belongs to; nil when there are none.
local function queue_tenant(keys, name)
  return keys.share > 0 and string.match(name, '^([^/]*)/') or nil
end
