-- USES: keys
-- Returns 0 unless the caller holds the claim on the lane.
local keys = queue_keys(a.prefix, a.share)
local claim = keys.claim(a.lane)
if redis.call('GET', claim) ~= a.fence then return 0 end
