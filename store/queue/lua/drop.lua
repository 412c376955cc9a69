-- Forgets a dead job; its id stays known for a while.
-- KEYS: stream
-- USES: dead
-- Returns 1, or 0 when it is not dead.
local keys = queue_keys(a.prefix, a.share)
if not queue_unbury(keys, a.id) then return 0 end
redis.call('DEL', keys.job(a.id))
redis.call('SET', keys.seen(a.id), 'dropped', 'PX', a.remember)
return 1
