-- Prolongs a claim by a lease. The claim and the entry's idle time begin anew together, and so end together.
-- KEYS: stream
-- CHECKS: fence
-- Returns 1, or 0 when the claim is no longer ours.
redis.call('PEXPIRE', claim, a.lease)
redis.pcall('XCLAIM', keys.stream, 'workers', a.consumer, 0, a.entry, 'JUSTID')
return 1
