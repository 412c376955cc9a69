-- Adds a document about a person who gets an order's news, unless there is one.
-- KEYS: order
-- ARGS: field, doc
-- Returns the document, or '' for a missing order.
if redis.call('EXISTS', order) == 0 then return '' end
redis.call('HSETNX', order, a.field, a.doc)
return redis.call('HGET', order, a.field)
