-- Gives a new token to lanes that lost theirs. A token is lost when its entry is missing in the stream, when the group
-- is past the entry and no consumer holds it, or when a waiting or parked lane is not in its set or list. Then the
-- entries of tenants are counted again. It skips claimed lanes: their worker passes the token on, or the claim ends.
-- KEYS: stream
-- USES: token
-- Returns the lanes that had lost their token.
local keys, lost, last = queue_keys(a.prefix, a.share), {}, {0, 0}

local function place(entry)
  local ms, seq = string.match(entry, '^(%d+)-?(%d*)$')
  return {tonumber(ms) or 0, tonumber(seq) or 0}
end
local groups = redis.pcall('XINFO', 'GROUPS', keys.stream)
for _, g in ipairs(groups) do
  local f = {}
  for i = 1, #g, 2 do f[g[i]] = g[i + 1] end
  if f['name'] == 'workers' then last = place(f['last-delivered-id']) end
end

local function held(entry)
  local e = place(entry)
  if e[1] > last[1] or (e[1] == last[1] and e[2] > last[2]) then return true end
  local pending = redis.pcall('XPENDING', keys.stream, 'workers', entry, entry, 1)
  return #pending > 0
end
local function waits(token) return token == 'waiting' or token == 'idle' end
local function has_token(lane, token)
  if waits(token) then return redis.call('ZSCORE', keys.waiting, lane) end
  if token == 'parked' then
    local tenant = queue_sharer(keys, lane)
    return tenant and redis.call('HEXISTS', keys.shares, tenant) == 1 and redis.call('LPOS', keys.parked(tenant), lane)
  end
  return queue_lane(keys, token) == lane and held(token)
end

local counted = keys.share <= 0
local function count()
  if counted then return end
  counted = true
  redis.call('DEL', keys.shares)
  for _, e in ipairs(redis.call('XRANGE', keys.stream, '-', '+')) do
    redis.call('HINCRBY', keys.shares, queue_tenant(keys, e[2][2]), 1)
  end
end

local function repair(lane)
  local token = redis.call('HGET', keys.tokens, lane)
  if not token or redis.call('EXISTS', keys.claim(lane)) == 1 or has_token(lane, token) then return end
  count()
  if token == 'parked' then redis.call('LREM', keys.parked(queue_tenant(keys, lane)), 0, lane)
  elseif not waits(token) and queue_lane(keys, token) == lane then queue_drop(keys, token, lane) end
  queue_next(keys, lane)
  lost[#lost + 1] = lane
end

-- Most lanes wait and are in the set. Two commands check that for all. The repair of a lane may move others.
local tokens = redis.call('HMGET', keys.tokens, unpack(a.lanes))
local due = redis.call('ZMSCORE', keys.waiting, unpack(a.lanes))
for i, lane in ipairs(a.lanes) do
  if not (waits(tokens[i]) and due[i]) then repair(lane) end
end
return lost
