-- Puts the job of a submitted form, and replaces the form's words by the typed document, unless the
-- job is known.
-- KEYS: words, over, waits
-- ARGS: typed, life,
--   job.prefix, job.share, job.id, job.lane, job.kind, job.body, job.delay, job.nonce, job.remember, job.trace
-- USES: put
-- Returns 1 if the job was put, else 0, plus 2 if the key waits exists.
local added = queue_put(a.job) -- first: behind a DEL, Redis would take it though its memory is full
redis.call('DEL', over)
if added == 1 and a.typed ~= '' then redis.call('SET', words, a.typed, 'PX', a.life) end
return added + 2 * redis.call('EXISTS', waits)
