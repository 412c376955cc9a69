-- Hands back an entry that was read and not claimed: its lane gets a new token.
-- KEYS: stream
-- USES: token
-- Returns 1, or 0 when the entry is not the lane's token or a claim on the lane lives.
local keys = queue_keys(a.prefix, a.share)
local lane = queue_lane(keys, a.entry)
if not lane or redis.call('EXISTS', keys.claim(lane)) == 1 then return 0 end
local token = redis.call('HGET', keys.tokens, lane)
queue_drop(keys, a.entry, lane)
if token ~= a.entry then return 0 end
queue_next(keys, lane)
return 1
