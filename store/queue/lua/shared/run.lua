-- queue_run() names this run of Redis; '' when it does not tell. The embedded
-- Redis has no sections to tell from, and no data that outlives it either.
local function queue_run()
  local info = redis.pcall('INFO', 'server')
  if type(info) == 'table' then
    return string.find(info.err or '', 'is not supported', 1, true) and 'embedded' or ''
  end
  local _, last = string.find(info, 'run_id:', 1, true) -- plain: a pattern is tried at every character
  return last and string.match(info, '^%x+', last + 1) or ''
end
