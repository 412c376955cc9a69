-- Puts a job, unless one of its id is known.
-- KEYS: stream
-- Returns 1, or 0 when the id is known.
local job = cjson.decode(ARGV[1])
return queue_put(job)
