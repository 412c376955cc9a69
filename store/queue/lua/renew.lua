-- Extends a claim by a lease. It restarts the claim and the entry's idle time together, so they end together.
-- KEYS: stream
-- CHECKS: fence
-- Returns 1, or 0 when the claim is lost.
redis.call('PEXPIRE', claim, a.lease)
redis.pcall('XCLAIM', keys.stream, 'workers', a.consumer, 0, a.entry, 'JUSTID')
return 1
