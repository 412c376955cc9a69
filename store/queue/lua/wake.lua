-- Ends the wait of a job's lane, see queue_wake.
-- KEYS: stream
-- USES: wake
-- Returns 1 when that delivers the job, else 0.
return queue_wake(a)
