-- Makes an order of a list due again later.
-- KEYS: list
-- USES: finished
-- Returns 0 or 1.
return put_off(list, a.id, a.by)
