-- queue_keys(prefix, share) names the queue's keys, as keys.go describes them. They share the slot of the prefix, so
-- a script may name them while it runs. share is how many tokens of a tenant may be in the stream. 0: there are no
-- tenants. -1: tenants have recurring jobs, see Options.Recurring.
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

-- queue_tenant(keys, name) is the tenant of a lane or a job's id; nil when there are no tenants.
local function queue_tenant(keys, name)
  return keys.share ~= 0 and string.match(name, '^([^/]*)/') or nil
end

-- queue_sharer(keys, lane) is the tenant whose share a lane counts against; nil when there is no limit.
local function queue_sharer(keys, lane)
  return keys.share > 0 and queue_tenant(keys, lane) or nil
end
