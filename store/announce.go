package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"darkroom/order"
	"darkroom/store/conn"
	"darkroom/store/kv"
	"darkroom/store/script"
	"darkroom/store/tenants"
)

// Announcements keeps what a channel shows of its orders, and puts the jobs that show more.
type Announcements part

// Pending returns an order and its events after the watermark, oldest
// first; both are of one moment.
func (s *Announcements) Pending(ctx context.Context, id string) (Tracked, []order.Event, error) {
	t, err := s.records.order(ctx, id)
	if err != nil || t.Announced >= t.LastEvent {
		return t, nil, err
	}
	events, err := s.records.events(ctx, id, t.Announced, t.LastEvent-1)
	return t, withPictures(events, t.Order), orderError(id, err)
}

// BeginPost leaves the mark of a post that is about to be sent; event is its
// Seq, 0 for the card. [ErrMoved] says that the order is another generation's.
func (s *Announcements) BeginPost(ctx context.Context, id string, generation int, event int64) error {
	node, err := s.db.Node(ctx) // its clock is that of the job that will compare the mark
	if err != nil {
		return orderError(id, err)
	}
	now, err := node.Time(ctx).Result()
	if err != nil {
		return orderError(id, err)
	}
	_, err = s.announcer(ctx, "begin_post", id, generation, s.records.keys(Tracked{ID: id}), script.Args{
		"event": event, "mark": kv.Encode(InFlight{Event: event, At: now.UTC()}),
	})
	return err
}

// formerLife is how long the thread of a card that another one replaced still counts as its
// order's: nobody knows of it any more when the order leaves.
const formerLife = 90 * 24 * time.Hour

// CardPosted says that the card is out, or edited: which message it is, and
// the version it shows. A new card opens a new thread; that of the former one stays the
// order's for ninety days.
func (s *Announcements) CardPosted(ctx context.Context, id string, generation int, ts string, version int64) error {
	return kv.RetryOnConflict(orderError(id, ErrStale), func() (kv.Result, error) {
		t, err := s.records.order(ctx, id)
		if err != nil {
			return kv.Stale, err
		}
		keys := s.records.keys(t)
		keys["new_thread"] = s.db.Key("thread", t.Owner.Team, t.Owner.Channel, ts)
		return s.announcer(ctx, "card_posted", id, generation, keys, script.Args{
			"ts": ts, "version": version, "former": t.CardTS, "former_life": formerLife,
		})
	})
}

// EventPosted says that an event is out, and moves the watermark up to it. A
// reply without a timestamp was left out and is not kept.
func (s *Announcements) EventPosted(ctx context.Context, id string, generation int, posted Posted) error {
	reply := ""
	if posted.TS != "" {
		reply = kv.Encode(posted)
	}
	_, err := s.announcer(ctx, "event_posted", id, generation, s.records.keys(Tracked{ID: id}), script.Args{"event": posted.Event, "reply": reply})
	return err
}

// ReviewSettled says that the reply with that timestamp waits for somebody's judgement now, with
// buttons and what it says of verdicts and of who is gone, or tells how its review ended.
func (s *Announcements) ReviewSettled(ctx context.Context, id string, generation int, now Posted) error {
	t, err := s.records.order(ctx, id)
	if err != nil {
		return err
	}
	var replies []Posted
	for _, p := range t.Thread {
		is := p
		is.Buttons, is.Ended, is.Verdicts, is.Ownerless = now.Buttons, now.Ended, now.Verdicts, now.Ownerless
		if p.TS == now.TS && !is.looksLike(p) {
			p = is
			replies = append(replies, p)
		}
	}
	return s.writeReplies(ctx, id, generation, replies...)
}

// ReplyDeleted has it noticed that somebody deleted a reply of an order's in Slack: the card may lead to it. One that
// asks for nothing is not missed.
func (s *Announcements) ReplyDeleted(ctx context.Context, id string, generation int, ts string) error {
	t, err := s.records.order(ctx, id)
	if errors.Is(err, ErrNotTracked) || err == nil && t.Owner.Generation != generation {
		return nil
	}
	if !slices.ContainsFunc(t.Thread, func(p Posted) bool { return p.TS == ts && p.Unsettled() }) {
		return err
	}
	job := AnnounceJob{Order: id, Generation: generation, Deleted: ts}
	_, err = s.records.queue.Put(ctx, channelJob(t.Owner.Team, t.Owner.Channel, AnnounceKind, fmt.Sprintf("announce:%s:g%d:deleted:%s", id, generation, ts), job))
	return orderError(id, err)
}

// looksLike says that two states of a reply differ in nothing that [Announcements.ReviewSettled] writes.
func (p Posted) looksLike(other Posted) bool {
	return p.Buttons == other.Buttons && p.Ended == other.Ended && p.Verdicts == other.Verdicts && p.Ownerless == other.Ownerless
}

// PreviewsShown says that the reply to an event shows these copies of its previews now, and
// whether it has buttons.
func (s *Announcements) PreviewsShown(ctx context.Context, id string, generation int, reply Posted) error {
	return s.writeReplies(ctx, id, generation, reply)
}

// writeReplies writes replies of an order anew.
func (s *Announcements) writeReplies(ctx context.Context, id string, generation int, replies ...Posted) error {
	docs := make([]script.Args, len(replies))
	for i, p := range replies {
		docs[i] = script.Args{"event": p.Event, "doc": kv.Encode(p)}
	}
	_, err := s.announcer(ctx, "write_replies", id, generation, s.records.keys(Tracked{ID: id}), script.Args{"replies": docs})
	return err
}

// announcer runs one of the announcer's scripts for an order.
func (s *Announcements) announcer(ctx context.Context, name, id string, generation int, keys script.Keys, args script.Args) (kv.Result, error) {
	args["id"], args["generation"] = id, generation
	code, err := s.db.Run(ctx, name, keys, args)
	switch {
	case err != nil:
	case code == -1:
		err = ErrNotTracked
	case code == 0:
		err = ErrMoved
	}
	return kv.Result(code), orderError(id, err)
}

// Compared says that the order's channel was held against the record in this run of Redis, and what
// was found there that is not recorded.
func (s *Announcements) Compared(ctx context.Context, id string, run conn.Run, told Told) error {
	found := ""
	if len(told.Replies) > 0 {
		found = kv.Encode(told)
	}
	_, err := s.announcer(ctx, "compared", id, told.Generation, s.records.keys(Tracked{ID: id}), script.Args{"run": inMillis(run.Since), "told": found})
	return err
}

// SkipPending gives up what a channel was not told of an order yet, as if it had been: the channel
// has the order no longer, or is out of reach for good.
func (s *Announcements) SkipPending(ctx context.Context, id string, generation int) error {
	_, err := s.announcer(ctx, "skip_pending", id, generation, s.records.keys(Tracked{ID: id}), script.Args{})
	return err
}

// Unannounced returns the orders whose channel does not show all that is recorded:
// events ahead of the watermark, or a card of an older version.
func (s *Announcements) Unannounced(ctx context.Context) ([]string, error) {
	return s.db.Redis.SMembers(ctx, s.db.Key("lagging")).Result()
}

// Announce puts a job that announces the order, at most once an hour as long
// as the order and what its channel shows of it stay as they are. So a sweep
// may ask for it as often as it likes.
func (s *Announcements) Announce(ctx context.Context, id string) error {
	t, err := s.records.order(ctx, id)
	if err != nil {
		return err
	}
	why := fmt.Sprintf("v%d:a%d:c%d:h%d", t.Version, t.Announced, t.CardVersion, time.Now().Unix()/3600)
	_, err = s.records.queue.Put(ctx, announceJob(t, why))
	return orderError(id, err)
}

// AnnounceChannel announces every order of a channel that it does not show in full: it
// can be reached again. why makes the jobs new ones.
func (s *Announcements) AnnounceChannel(ctx context.Context, team, channel, why string) error {
	orders, err := s.unannouncedIn(ctx, team, channel)
	for _, t := range orders {
		if _, err := s.records.queue.Put(ctx, announceJob(t, why)); err != nil {
			return orderError(t.ID, err)
		}
	}
	return err
}

// unannouncedIn are the orders of a channel that it does not show in full.
func (s *Announcements) unannouncedIn(ctx context.Context, team, channel string) ([]Tracked, error) {
	ids, err := s.Unannounced(ctx)
	if err != nil {
		return nil, err
	}
	var found []Tracked
	for batch := range slices.Chunk(ids, listBatch) {
		orders, err := s.records.all(ctx, batch)
		if err != nil {
			return found, err
		}
		found = append(found, slices.DeleteFunc(orders, func(t Tracked) bool { return t.Owner.Team != team || t.Owner.Channel != channel })...)
	}
	return found, nil
}

// NewsArgs are arguments of a script that gives an order another version: its entry among the active orders, and its jobs.
func (s *Announcements) NewsArgs(ctx context.Context, next Tracked) (active string, announce, poll script.Args) {
	job := announceJob(next, fmt.Sprintf("v%d", next.Version))
	return activeEntry(next), s.records.queue.PutArgs(ctx, job), s.records.polls.WakeArgs(tenants.PollJob())
}

// foundLife is how long a thread counts as an order's that was found by its first message
// alone. The announcer makes it the order's for good when it records the card.
const foundLife = 24 * time.Hour

// FoundThread makes the message with that timestamp a thread of the order, for [Orders.ByThread]:
// it says so itself, and the card's record does not, or not yet.
func (s *Announcements) FoundThread(ctx context.Context, t Tracked, ts string) error {
	key := s.db.Key("thread", t.Owner.Team, t.Owner.Channel, ts)
	value := fmt.Sprintf("%d:%s", t.Owner.Generation, t.ID)
	return orderError(t.ID, s.db.Redis.SetNX(ctx, key, value, foundLife).Err())
}

// CardInDoubt tells whether a card may be out in the channel that is not recorded: the
// answer to its post was lost, or is still to come.
func (s *Announcements) CardInDoubt(ctx context.Context, team, channel string) (bool, error) {
	orders, err := s.unannouncedIn(ctx, team, channel)
	return slices.ContainsFunc(orders, func(t Tracked) bool { return t.InFlight != nil && t.InFlight.Event == 0 }), err
}
