-- queue_run() names this run of Redis; '' when Redis does not tell. The name is the id of the replication history. It
-- changes with each restart and whenever a replica takes over, also a replica that was the main server before in the
-- same process. (It also changes when a first replica comes, or the last has been gone for an hour. Then somebody
-- verifies once too often.) The embedded Redis has no such id, and no data that outlives it.
local function queue_run()
  local info = redis.pcall('INFO', 'replication')
  if type(info) == 'table' then
    return string.find(info.err or '', 'is not supported', 1, true) and 'embedded' or ''
  end
  local _, last = string.find(info, 'master_replid:', 1, true) -- plain: a pattern is tried at every character
  return last and string.match(info, '^%x+', last + 1) or ''
end
