-- Moves an order that needs no shrinking to the list of shrunk orders.
-- KEYS: order, finished, shrunk
-- USES: finished
-- CHECKS: version
-- Returns 1, or 0 for another version.
rest(finished, shrunk, a.id)
return 1
