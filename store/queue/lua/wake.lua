-- Ends the wait of a job's lane, as queue_wake says.
-- KEYS: stream
-- USES: wake
-- Returns 1 when the job is about to be delivered because of it, else 0.
return queue_wake(a)
