-- own_reference(key, id, reference) makes a reference the order's, unless it is another's.
local function own_reference(key, id, reference)
  local reserved = redis.call('GET', key) or ''
  if reference ~= '' and string.sub(reserved, 1, 6) ~= 'order:' then
    redis.call('SET', key, 'order:' .. id)
  end
end
