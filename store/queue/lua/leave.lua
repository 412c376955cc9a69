-- Removes a consumer that has handed all its lanes back.
-- KEYS: stream
-- Returns 1, or 0 when it still has pending entries, which would be lost, or the group is gone.
local pending = redis.pcall('XPENDING', stream, 'workers', '-', '+', 1, a.consumer)
if pending.err or #pending > 0 then return 0 end
redis.call('XGROUP', 'DELCONSUMER', stream, 'workers', a.consumer)
return 1
