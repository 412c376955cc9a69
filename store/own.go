package store

import "context"

// recordKeys are the keys with which every script begins that writes an event: KEYS 1 to 5.
func recordKeys(id string) []string {
	return []string{orderKey(id), eventsKey(id), eventIDsKey(id), activeKey(), laggingKey()}
}

// ownerKeys are the indexes of an owner's orders: KEYS 6 to 8.
func ownerKeys(o Owner) []string {
	return []string{channelKey(o.Team, o.Channel), requesterKey(o.Team, o.Requester), channelsKey(o.Team)}
}

// ownLua defines what the scripts share that give an order to a channel or take it away.
const ownLua = `
-- own_active(active, id, entry) keeps the poller's entry; '': it need not look, and the
-- order's time to shrink and to leave begins anew. That of one which is gone begins once,
-- however often it is looked for, and ends when it comes back.
local function own_active(active, id, entry)
  local shrunk, finished, t = '` + shrunkName + `', '` + finishedName + `', redis.call('TIME')
  local now = t[1] * 1000 + math.floor(t[2] / 1000)
  if entry == '' then
    redis.call('HDEL', active, id)
    redis.call('ZREM', shrunk, id)
    redis.call('ZADD', finished, now, id)
    return
  end
  redis.call('HSET', active, id, entry)
  if not cjson.decode(entry).gone then
    redis.call('ZREM', shrunk, id)
    redis.call('ZREM', finished, id)
  elseif not redis.call('ZSCORE', shrunk, id) then
    redis.call('ZADD', finished, 'NX', now, id)
  end
end

-- own_enter(orders, channels, channel, id, at) lists an order as the channel's.
local function own_enter(orders, channels, channel, id, at)
  redis.call('ZADD', orders, at, id)
  redis.call('SADD', channels, channel)
end

-- own_exit(orders, channels, channel, id) takes it off again.
local function own_exit(orders, channels, channel, id)
  redis.call('ZREM', orders, id)
  if redis.call('EXISTS', orders) == 0 then redis.call('SREM', channels, channel) end
end

-- own_reference(key, id, reference) makes a reference the order's, unless it is another's.
local function own_reference(key, id, reference)
  local reserved = redis.call('GET', key) or ''
  if reference ~= '' and string.sub(reserved, 1, 6) ~= 'order:' then
    redis.call('SET', key, 'order:' .. id)
  end
end
`

// repeat does a step on an order again as long as somebody else changes the order between
// its reading and its writing, and returns the order as it is then.
func (s *Store) repeat(ctx context.Context, id string, step func(old stored) (result, error)) (Tracked, error) {
	for range raceTries {
		old, err := s.load(ctx, id)
		if err != nil {
			return Tracked{}, err
		}
		result, err := step(old)
		switch {
		case err != nil:
			return Tracked{}, orderError(id, err)
		case result == written:
			return s.Order(ctx, id)
		}
	}
	return Tracked{}, orderError(id, ErrStale)
}
