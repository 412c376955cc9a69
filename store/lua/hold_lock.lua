-- Takes a lock or renews it, for a lease.
-- KEYS: lock
-- Returns 1 when the lock is the token's now, else 0.
local lock = unpack(KEYS)
local a = cjson.decode(ARGV[1])
if redis.call('GET', lock) == a.token then return redis.call('PEXPIRE', lock, a.lease) end
if redis.call('SET', lock, a.token, 'NX', 'PX', a.lease) then return 1 end
return 0
