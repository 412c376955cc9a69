-- Counts what the queue holds.
-- KEYS: stream
-- USES: keys
-- READS: only
-- Returns the fields of Stats in order.
local keys, jobs = queue_keys(a.prefix), 0
local lanes = redis.call('HKEYS', keys.tokens)
for _, lane in ipairs(lanes) do jobs = jobs + redis.call('LLEN', keys.lane(lane)) end
return { jobs, #lanes, redis.call('ZCARD', keys.later), redis.call('ZCARD', keys.dead) }
