-- Has an order on a list looked at again later.
-- KEYS: list
-- Returns 0 or 1.
local list = unpack(KEYS)
local a = cjson.decode(ARGV[1])
return put_off(list, a.id, a.by)
