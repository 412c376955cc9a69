-- Replaces a channel's settings, and those of all channels, if both still have the documents that were read. An empty
-- account_doc writes no document. announce is the job that tells the channel; nil: none.
-- KEYS: settings, account, reminding
-- USES: put, wake
-- Returns 1, also if both have the new documents already, or 0 if one has another document.
local now, all = redis.call('GET', settings) or '', redis.call('GET', account) or ''
if now == a.doc and all == a.account_doc then return 1 end
if now ~= a.before or all ~= a.account_before then return 0 end
redis.call('SET', settings, a.doc)
if a.account_doc ~= '' then redis.call('SET', account, a.account_doc) end
redis.call(a.reminds and 'SADD' or 'SREM', reminding, a.place)
if a.announce then queue_put(a.announce) end
if a.reminds then queue_wake(a.poll) end
return 1
