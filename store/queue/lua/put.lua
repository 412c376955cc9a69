-- Puts a job, unless one of its id is known.
-- KEYS: stream
-- USES: put
-- Returns 1, or 0 when the id is known.
return queue_put(a)
