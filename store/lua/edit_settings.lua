-- Keeps a channel's settings, and those of all channels, in place of the very documents that were changed; an empty
-- document of all channels is none.
-- KEYS: settings, account, reminding
-- ARGS: place, reminds, before, doc, account_before, account_doc,
--   poll.prefix, poll.share, poll.id, poll.lane, poll.kind, poll.body, poll.delay, poll.nonce, poll.remember, poll.trace
-- USES: wake
-- Returns 1, also when this very change is kept already, or 0 when what is kept is another document.
local kept, all = redis.call('GET', settings) or '', redis.call('GET', account) or ''
if kept == a.doc and all == a.account_doc then return 1 end
if kept ~= a.before or all ~= a.account_before then return 0 end
redis.call('SET', settings, a.doc)
if a.account_doc ~= '' then redis.call('SET', account, a.account_doc) end
redis.call(a.reminds ~= '' and 'SADD' or 'SREM', reminding, a.place)
if a.reminds ~= '' then queue_wake(a.poll) end
return 1
