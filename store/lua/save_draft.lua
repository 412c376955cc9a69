-- Saves a draft, unless the saved one is further along.
-- KEYS: draft, unfinished, outstanding
-- ARGS: id, doc, state, attempt, origin, life, now, unfinished
-- USES: draft
-- Returns 1, or 0 if the saved draft is further along.
local rank = {open = 1, placing = 2, refused = 3, unknown = 3, discarded = 3, placed = 4}
local kept = redis.call('HMGET', draft, 'state', 'attempt')
if kept[1] then
  local was, is = tonumber(kept[2]), tonumber(a.attempt)
  if is < was or kept[1] == 'placed' and a.state ~= 'placed' then return 0 end
  if kept[1] == 'placing' and a.state == 'discarded' then return 0 end
  if is == was and (rank[a.state] or 0) < (rank[kept[1]] or 0) then return 0 end
end
draft_write(draft, unfinished, outstanding, a)
return 1
