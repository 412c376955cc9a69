-- Has an order from which there is nothing to take wait for its time to leave.
-- KEYS: order, finished, shrunk
-- USES: finished
-- Returns 1, or 0 when the version is another.
if redis.call('HGET', order, 'version') ~= a.version then return 0 end
rest(finished, shrunk, a.id)
return 1
