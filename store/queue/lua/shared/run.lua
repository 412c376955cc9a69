-- queue_run() returns the name of this run of Redis; '' when it is not known. The name is the id of the replication history. It
-- changes with each restart and whenever a replica takes over, even a replica that was the main server before in the
-- same process. (It also changes when a first replica comes, or the last has been gone for an hour. Then a handler
-- verifies without need.) The embedded Redis has no such id, and no data that outlives it.
local function queue_run()
  local info = redis.pcall('INFO', 'replication')
  if type(info) == 'table' then
    return string.find(info.err or '', 'is not supported', 1, true) and 'embedded' or ''
  end
  local _, last = string.find(info, 'master_replid:', 1, true) -- plain: a pattern is slow
  return last and string.match(info, '^%x+', last + 1) or ''
end
