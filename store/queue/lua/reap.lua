-- Removes other consumers that have been idle for long and hold no entry.
-- KEYS: stream
-- Returns 1.
local idle = tonumber(a.idle)
local consumers = redis.pcall('XINFO', 'CONSUMERS', stream, 'workers')
for _, c in ipairs(consumers) do
  local f = {}
  for i = 1, #c, 2 do f[c[i]] = c[i + 1] end
  if f['name'] ~= a.consumer and f['idle'] > idle
    and #redis.call('XPENDING', stream, 'workers', '-', '+', 1, f['name']) == 0 then
    redis.call('XGROUP', 'DELCONSUMER', stream, 'workers', f['name'])
  end
end
return 1
