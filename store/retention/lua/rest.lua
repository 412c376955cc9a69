-- Has an order from which there is nothing to take wait for its time to leave.
-- KEYS: order, finished, shrunk
-- USES: finished
-- CHECKS: version
-- Returns 1, or 0 when the version is another.
rest(finished, shrunk, a.id)
return 1
