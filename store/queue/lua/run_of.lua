-- Tells which run of Redis this is, on the node that has the queue.
-- KEYS: stream
-- USES: run
-- Returns its id.
return queue_run()
