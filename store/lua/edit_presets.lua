-- Keeps a channel's presets in place of the very document that was changed; an empty one is none.
-- KEYS: presets
-- ARGS: before, doc
-- Returns 1, also when this very change is kept already, or 0 when what is kept is another
-- document.
local kept = redis.call('GET', presets) or ''
if kept == a.doc then return 1 end
if kept ~= a.before then return 0 end
if a.doc == '' then
  redis.call('DEL', presets)
else
  redis.call('SET', presets, a.doc)
end
return 1
