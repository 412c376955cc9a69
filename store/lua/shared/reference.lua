-- own_reference(key, id, reference) gives a reference to the order, unless another order has it.
local function own_reference(key, id, reference)
  local reserved = redis.call('GET', key) or ''
  if reference ~= '' and string.sub(reserved, 1, 6) ~= 'order:' then
    redis.call('SET', key, 'order:' .. id)
  end
end
