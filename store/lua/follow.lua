-- Adds a follower to an order: a field with a document. An existing follower stays unchanged. All fields of
-- followers begin with the prefix.
-- KEYS: order
-- ARGS: field, prefix, doc, most
-- Returns 1, 0 for a missing or untracked order, or 2 if the order has too many followers.
if redis.call('EXISTS', order) == 0 or redis.call('HGET', order, 'left') == '1' then return 0 end
if redis.call('HEXISTS', order, a.field) == 1 then return 1 end
local others = 0
for _, field in ipairs(redis.call('HKEYS', order)) do
  if string.sub(field, 1, #a.prefix) == a.prefix then others = others + 1 end
end
if others >= tonumber(a.most) then return 2 end
redis.call('HSET', order, a.field, a.doc)
return 1
