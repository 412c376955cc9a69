-- Puts a job, unless one of its id is known.
-- KEYS: stream
-- ARGS: prefix, share, id, lane, kind, body, delay, nonce, remember, trace
-- USES: put
-- Returns 1, or 0 when the id is known.
return queue_put(a)
