-- Puts the job of a submitted form, and keeps in the place of what was typed into it that it was
-- submitted, unless the job is known.
-- KEYS: words, over, waits
-- ARGS: typed, life,
--   job.prefix, job.share, job.id, job.lane, job.kind, job.body, job.delay, job.nonce, job.remember, job.trace
-- USES: put
-- Returns whether the job was put, 1 or 0, and 2 more when what waits is there.
local added = queue_put(a.job) -- first: behind a DEL, Redis would take it though its memory is full
redis.call('DEL', over)
if added == 1 and a.typed ~= '' then redis.call('SET', words, a.typed, 'PX', a.life) end
return added + 2 * redis.call('EXISTS', waits)
