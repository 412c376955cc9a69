-- Saves the poller's entry of an order. missed, if given, says since when the service has not known
-- the order, and when it was last asked.
-- KEYS: order, active, finished, shrunk
-- USES: ownership
-- CHECKS: version
-- Returns 1, or 0 for another version.
if a.missed then redis.call('HSET', order, 'missed_since', a.missed.since, 'missed_at', a.missed.at) end
own_active(active, finished, shrunk, a.id, a.active)
return 1
