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

var beginPostScript = newScript("begin_post", announcerLua)

// beginPostArgs are the argument of begin_post.lua.
type beginPostArgs struct {
	Generation int    `json:"generation,string"`
	Event      int64  `json:"event,string"`
	Mark       string `json:"mark"` // Posting as JSON
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
	_, err = s.announcer(ctx, beginPostScript, id, nil, beginPostArgs{
		Generation: generation, Event: event, Mark: encode(Posting{Event: event, At: now.UTC()}),
	})
	return err
}

var cardPostedScript = newScript("card_posted", announcerLua)

// cardPostedArgs are the argument of card_posted.lua.
type cardPostedArgs struct {
	Generation int    `json:"generation,string"`
	ID         string `json:"id"`
	TS         string `json:"ts"`
	Version    int64  `json:"version,string"`
	Former     string `json:"former"`             // timestamp of the card so far; "": none
	FormerLife int64  `json:"former_life,string"` // ms
}

// formerLife is how long the thread of a card that another one replaced still counts as its
// order's: nobody knows of it any more when the order leaves.
const formerLife = 90 * 24 * time.Hour

// CardPosted says that the card is out, or edited: which message it is, and
// the version it shows. A new card opens a new thread; that of the former one stays the
// order's for ninety days.
func (s *Store) CardPosted(ctx context.Context, id string, generation int, ts string, version int64) error {
	return retryOnConflict(orderError(id, ErrStale), func() (result, error) {
		t, err := s.Order(ctx, id)
		if err != nil {
			return stale, err
		}
		keys := []string{
			laggingKey(), threadKey(t.Owner.Team, t.Owner.Channel, ts), threadKey(t.Owner.Team, t.Owner.Channel, t.CardTS),
		}
		return s.announcer(ctx, cardPostedScript, id, keys, cardPostedArgs{
			Generation: generation, ID: id, TS: ts, Version: version, Former: t.CardTS, FormerLife: formerLife.Milliseconds(),
		})
	})
}

var eventPostedScript = newScript("event_posted", announcerLua)

// eventPostedArgs are the argument of event_posted.lua.
type eventPostedArgs struct {
	Generation int    `json:"generation,string"`
	ID         string `json:"id"`
	Event      int64  `json:"event,string"`
	Reply      string `json:"reply"` // Posted as JSON; "": none
}

// EventPosted says that an event is out, and moves the watermark up to it. A
// reply without a timestamp was left out and is not kept.
func (s *Store) EventPosted(ctx context.Context, id string, generation int, posted Posted) error {
	reply := ""
	if posted.TS != "" {
		reply = encode(posted)
	}
	_, err := s.announcer(ctx, eventPostedScript, id, []string{laggingKey()}, eventPostedArgs{
		Generation: generation, ID: id, Event: posted.Event, Reply: reply,
	})
	return err
}

// ButtonsRemoved says that the reply with that timestamp has no buttons now.
func (s *Store) ButtonsRemoved(ctx context.Context, id string, generation int, ts string) error {
	t, err := s.Order(ctx, id)
	if err != nil {
		return err
	}
	var replies []Posted
	for _, p := range t.Thread {
		if p.TS == ts && p.Buttons {
			p.Buttons = false
			replies = append(replies, p)
		}
	}
	return s.writeReplies(ctx, id, generation, replies...)
}

// PreviewsShown says that the reply to an event shows these copies of its previews now, and
// whether it has buttons.
func (s *Store) PreviewsShown(ctx context.Context, id string, generation int, reply Posted) error {
	return s.writeReplies(ctx, id, generation, reply)
}

var writeRepliesScript = newScript("write_replies", announcerLua)

// writeRepliesArgs are the argument of write_replies.lua.
type writeRepliesArgs struct {
	Generation int        `json:"generation,string"`
	Replies    []replyDoc `json:"replies"`
}

type replyDoc struct {
	Event int64  `json:"event,string"`
	Doc   string `json:"doc"` // Posted as JSON
}

// writeReplies writes replies of an order anew.
func (s *Store) writeReplies(ctx context.Context, id string, generation int, replies ...Posted) error {
	docs := make([]replyDoc, len(replies))
	for i, p := range replies {
		docs[i] = replyDoc{Event: p.Event, Doc: encode(p)}
	}
	_, err := s.announcer(ctx, writeRepliesScript, id, nil, writeRepliesArgs{Generation: generation, Replies: docs})
	return err
}

// announcer runs one of the announcer's scripts for an order.
func (s *Store) announcer(ctx context.Context, script *redis.Script, id string, more []string, argument any) (result, error) {
	code, err := s.run(ctx, script, append([]string{orderKey(id)}, more...), argument)
	switch {
	case err != nil:
	case code == -1:
		err = ErrNotTracked
	case code == 0:
		err = ErrMoved
	}
	return result(code), orderError(id, err)
}

var settleScript = newScript("settle", announcerLua)

// settleArgs are the argument of settle.lua.
type settleArgs struct {
	Generation int    `json:"generation,string"`
	ID         string `json:"id"`
}

// Settle says that a channel is owed nothing more: it has the order no longer, and nothing
// can be said there.
func (s *Store) Settle(ctx context.Context, id string, generation int) error {
	_, err := s.announcer(ctx, settleScript, id, []string{laggingKey()}, settleArgs{Generation: generation, ID: id})
	return err
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
