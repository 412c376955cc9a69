package store

import (
	"context"
	"fmt"
	"slices"
	"time"

	"darkroom/order"

	"github.com/redis/go-redis/v9"
)

// Unannounced returns an order and its events after the watermark, oldest
// first; both are of one moment.
func (s *Store) Unannounced(ctx context.Context, id string) (Tracked, []order.Event, error) {
	t, err := s.Order(ctx, id)
	if err != nil || t.Announced >= t.LastEvent {
		return t, nil, err
	}
	events, err := s.events(ctx, id, t.Announced, t.LastEvent)
	return t, withPictures(events, t.Order), orderError(id, err)
}

// BeginPost leaves the mark of a post that is about to be sent; event is its
// Seq, 0 for the card. [ErrMoved] says that the order is another generation's.
func (s *Store) BeginPost(ctx context.Context, id string, generation int, event int64) error {
	node, err := s.node(ctx) // its clock is that of the job that will compare the mark
	if err != nil {
		return orderError(id, err)
	}
	now, err := node.Time(ctx).Result()
	if err != nil {
		return orderError(id, err)
	}
	mark := encode(Posting{Event: event, At: now.UTC()})
	return s.announcer(ctx, beginPostScript, id, nil, generation, event, mark)
}

// formerLife is how long the thread of a card that another one replaced still counts as its
// order's: nobody knows of it any more when the order leaves.
const formerLife = 90 * 24 * time.Hour

// CardPosted says that the card is out, or edited: which message it is, and
// the version it shows. A new card opens a new thread; that of the former one stays the
// order's for ninety days.
func (s *Store) CardPosted(ctx context.Context, id string, generation int, ts string, version int64) error {
	t, err := s.Order(ctx, id)
	if err != nil {
		return err
	}
	place := threadKey(t.Owner.Team, t.Owner.Channel, "")
	keys := []string{laggingKey(), place + ts}
	return s.announcer(ctx, cardPostedScript, id, keys, generation, id, ts, version, place, formerLife.Milliseconds())
}

// EventPosted says that an event is out, and moves the watermark up to it. A
// reply without a timestamp was left out and is not kept.
func (s *Store) EventPosted(ctx context.Context, id string, generation int, posted Posted) error {
	reply := ""
	if posted.TS != "" {
		reply = encode(posted)
	}
	return s.announcer(ctx, eventPostedScript, id, []string{laggingKey()}, generation, id, posted.Event, reply)
}

// ButtonsRemoved says that the reply with that timestamp has no buttons now.
func (s *Store) ButtonsRemoved(ctx context.Context, id string, generation int, ts string) error {
	t, err := s.Order(ctx, id)
	if err != nil {
		return err
	}
	args := []any{generation}
	for _, p := range t.Thread {
		if p.TS == ts && p.Buttons {
			p.Buttons = false
			args = append(args, fmt.Sprintf("%s%d", replyField, p.Event), encode(p))
		}
	}
	return s.announcer(ctx, buttonsRemovedScript, id, nil, args...)
}

// PreviewsShown says that the reply to an event shows these copies of its previews now, and
// whether it has buttons.
func (s *Store) PreviewsShown(ctx context.Context, id string, generation int, reply Posted) error {
	return s.announcer(ctx, buttonsRemovedScript, id, nil, generation, fmt.Sprintf("%s%d", replyField, reply.Event), encode(reply))
}

// announcer runs one of the scripts below for an order.
func (s *Store) announcer(ctx context.Context, script *redis.Script, id string, more []string, args ...any) error {
	code, err := s.run(ctx, script, append([]string{orderKey(id)}, more...), args...)
	switch {
	case err != nil:
	case code == -1:
		err = ErrNotTracked
	case code == 0:
		err = ErrMoved
	}
	return orderError(id, err)
}

// Settle says that a channel is owed nothing more: it has the order no longer, and nothing
// can be said there.
func (s *Store) Settle(ctx context.Context, id string, generation int) error {
	return s.announcer(ctx, settleScript, id, []string{laggingKey()}, generation, id)
}

// Laggards returns the orders whose channel does not show all that is recorded:
// events ahead of the watermark, or a card of an older version.
func (s *Store) Laggards(ctx context.Context) ([]string, error) {
	return s.rdb.SMembers(ctx, laggingKey()).Result()
}

// Announce puts a job that announces the order, at most once an hour as long
// as the order and what its channel shows of it stay as they are. So a sweep
// may ask for it as often as it likes.
func (s *Store) Announce(ctx context.Context, id string) error {
	t, err := s.Order(ctx, id)
	if err != nil {
		return err
	}
	why := fmt.Sprintf("v%d:a%d:c%d:h%d", t.Version, t.Announced, t.CardVersion, time.Now().Unix()/3600)
	_, err = s.queue.Put(ctx, announceJob(t, why))
	return orderError(id, err)
}

// AnnounceChannel announces every order of a channel that it does not show in full: it
// can be reached again. why makes the jobs new ones.
func (s *Store) AnnounceChannel(ctx context.Context, team, channel, why string) error {
	ids, err := s.Laggards(ctx)
	if err != nil {
		return err
	}
	for batch := range slices.Chunk(ids, listBatch) {
		orders, err := s.all(ctx, batch)
		if err != nil {
			return err
		}
		for _, t := range orders {
			if t.Owner.Team != team || t.Owner.Channel != channel {
				continue
			}
			if _, err := s.queue.Put(ctx, announceJob(t, why)); err != nil {
				return orderError(t.ID, err)
			}
		}
	}
	return nil
}

// generationLua begins the scripts of the announcer: -1 when the order is not
// tracked, 0 when its generation is another than ARGV[1].
const generationLua = `
local order = KEYS[1]
local generation = redis.call('HGET', order, 'generation')
if not generation then return -1 end
if generation ~= ARGV[1] then return 0 end

-- posted(event) takes the mark of that post away.
local function posted(event)
  if redis.call('HGET', order, 'posting_event') == event then
    redis.call('HDEL', order, 'posting', 'posting_event')
  end
end

-- caught_up(id) ends the lag of an order whose channel shows all.
local function caught_up(id)
  local h = redis.call('HMGET', order, 'announced', 'last_event', 'card_version', 'version')
  if tonumber(h[1] or 0) >= tonumber(h[2] or 0) and tonumber(h[3] or 0) >= tonumber(h[4]) then
    redis.call('SREM', KEYS[2], id)
  end
end
`

// KEYS: 1 order. ARGV: 1 generation, 2 event, 3 the mark. Returns 1, or see generationLua.
var beginPostScript = redis.NewScript(generationLua + `
redis.call('HSET', order, 'posting', ARGV[3], 'posting_event', ARGV[2])
return 1
`)

// KEYS: 1 order, 2 the lagging ones, 3 the card's thread. ARGV: 1 generation,
// 2 order id, 3 timestamp, 4 version, 5 the keys of the channel's threads, 6 ms that a former
// one stays. Returns 1, or see generationLua. One message never goes back to an older version.
var cardPostedScript = redis.NewScript(generationLua + `
local card = redis.call('HMGET', order, 'card_ts', 'card_version')
if card[1] ~= ARGV[3] or tonumber(card[2] or 0) < tonumber(ARGV[4]) then
  redis.call('HSET', order, 'card_ts', ARGV[3], 'card_version', ARGV[4])
end
local own = ARGV[1] .. ':' .. ARGV[2]
if card[1] and card[1] ~= ARGV[3] and redis.call('GET', ARGV[5] .. card[1]) == own then
  redis.call('PEXPIRE', ARGV[5] .. card[1], ARGV[6])
end
redis.call('SET', KEYS[3], own)
posted('0')
caught_up(ARGV[2])
return 1
`)

// KEYS: 1 order, 2 the lagging ones. ARGV: 1 generation, 2 order id, 3 event,
// 4 the reply ("": none). Returns 1, or see generationLua. The watermark never
// goes back.
var eventPostedScript = redis.NewScript(generationLua + `
if tonumber(redis.call('HGET', order, 'announced') or 0) < tonumber(ARGV[3]) then
  redis.call('HSET', order, 'announced', ARGV[3])
end
if ARGV[4] ~= '' then redis.call('HSET', order, 'reply:' .. ARGV[3], ARGV[4]) end
posted(ARGV[3])
caught_up(ARGV[2])
return 1
`)

// KEYS: 1 order, 2 the lagging ones. ARGV: 1 generation, 2 order id. Returns 1, or see
// generationLua.
var settleScript = redis.NewScript(generationLua + `
local h = redis.call('HMGET', order, 'last_event', 'version')
redis.call('HSET', order, 'announced', h[1], 'card_version', h[2])
redis.call('HDEL', order, 'posting', 'posting_event')
redis.call('SREM', KEYS[2], ARGV[2])
return 1
`)

// KEYS: 1 order. ARGV: 1 generation, then pairs of field and reply. Returns 1,
// or see generationLua.
var buttonsRemovedScript = redis.NewScript(generationLua + `
for i = 2, #ARGV, 2 do redis.call('HSET', order, ARGV[i], ARGV[i + 1]) end
return 1
`)
