-- USES: keys
-- Only the worker that holds the claim on the lane writes.
local keys = queue_keys(a.prefix, a.share)
local claim = keys.claim(a.lane)
if redis.call('GET', claim) ~= a.fence then return 0 end
