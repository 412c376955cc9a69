-- hash_set(key, fields) writes fields, given by name, into a hash.
local function hash_set(key, fields)
  local flat = {}
  for field, value in pairs(fields) do
    flat[#flat + 1] = field
    flat[#flat + 1] = value
  end
  redis.call('HSET', key, unpack(flat))
end
