-- Prolongs a claim by a lease. The claim and the entry's idle time begin anew in the same
-- step, so that both end together.
-- KEYS: stream
-- USES: keys
-- Returns 1, or 0 when the claim is no longer ours.
local keys = queue_keys(a.prefix)
local claim = keys.claim(a.lane)
if redis.call('GET', claim) ~= a.fence then return 0 end
redis.call('PEXPIRE', claim, a.lease)
redis.pcall('XCLAIM', keys.stream, 'workers', a.consumer, 0, a.entry, 'JUSTID')
return 1
