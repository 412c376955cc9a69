-- spending_put(spending, as, entry) adds an entry to its month. No order has the name '': see
-- reserve_spending.lua.
local function spending_put(spending, as, entry)
  redis.call('HSET', spending, as, entry)
  redis.call('EXPIRE', spending, 124 * 86400)
end

-- spending_note(order, spending, s) saves an order's ledger entry: s has as, entry and field.
local function spending_note(order, spending, s)
  redis.call('HSET', order, 'counted', s.field)
  if s.entry ~= '' then spending_put(spending, s.as, s.entry) end
end

-- spending_keep(order, spending, s) is spending_note for an order that leaves its channel, unless it was counted before.
local function spending_keep(order, spending, s)
  if redis.call('HEXISTS', order, 'counted') == 0 then spending_note(order, spending, s) end
end
