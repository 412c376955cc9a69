-- queue_run() names this run of Redis; '' when it does not tell. Its name is that of the history which
-- a server writes and its replicas copy: it is another after each restart, and whenever a replica takes
-- over; also when that replica was once the main server itself and its process is still the same. (It
-- is another, too, when a first replica comes or the last has been gone for an hour: then somebody
-- looks once too often.) The embedded Redis has no sections to tell from, and no data that
-- outlives it either.
local function queue_run()
  local info = redis.pcall('INFO', 'replication')
  if type(info) == 'table' then
    return string.find(info.err or '', 'is not supported', 1, true) and 'embedded' or ''
  end
  local _, last = string.find(info, 'master_replid:', 1, true) -- plain: a pattern is tried at every character
  return last and string.match(info, '^%x+', last + 1) or ''
end
