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

// Announcements records what channels show of their orders, and puts the jobs that update them.
type Announcements part

// Pending returns an order and its events after the watermark, oldest
// first, as they were at one moment.
func (s *Announcements) Pending(ctx context.Context, id string) (Tracked, []order.Event, error) {
	t, err := s.records.order(ctx, id)
	if err != nil || t.Announced >= t.LastEvent {
		return t, nil, err
	}
	events, err := s.records.events(ctx, id, t.Announced, t.LastEvent-1)
	return t, withPictures(events, t.Order), orderError(id, err)
}

// BeginPost leaves a mark before a post is sent; event is its Seq, 0 for the card.
// [ErrMoved] says that the order has another generation.
func (s *Announcements) BeginPost(ctx context.Context, id string, generation int, event int64) error {
	node, err := s.db.Node(ctx) // the job that compares the mark uses the same clock
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

// formerLife is how long the thread of a replaced card still leads to its order. It expires by
// itself: deleting an order does not find it.
const formerLife = 90 * 24 * time.Hour

// CardPosted records that the card was posted or edited: its timestamp and the
// version that it shows. A new card opens a new thread; the former card's thread leads to
// the order for ninety days.
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

// EventPosted records that an event is out, and moves the watermark up to it. A
// reply without a timestamp was left out and is not saved.
func (s *Announcements) EventPosted(ctx context.Context, id string, generation int, posted Posted) error {
	reply := ""
	if posted.TS != "" {
		reply = kv.Encode(posted)
	}
	_, err := s.announcer(ctx, "event_posted", id, generation, s.records.keys(Tracked{ID: id}), script.Args{"event": posted.Event, "reply": reply})
	return err
}

// ReviewSettled records how the reply with that timestamp shows its review now: its buttons, its end, its
// verdicts, and whether the requester is gone.
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

// ReplyDeleted puts the job that handles the deletion of an order's reply in Slack: the card may link to it. It ignores
// replies that ask for nothing.
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

// looksLike reports whether the fields that [Announcements.ReviewSettled] writes are equal.
func (p Posted) looksLike(other Posted) bool {
	return p.Buttons == other.Buttons && p.Ended == other.Ended && p.Verdicts == other.Verdicts && p.Ownerless == other.Ownerless
}

// PreviewsShown records which copies of its previews the reply to an event shows, and
// whether it has buttons.
func (s *Announcements) PreviewsShown(ctx context.Context, id string, generation int, reply Posted) error {
	return s.writeReplies(ctx, id, generation, reply)
}

// CountInspection adds the photos of an inspected delivery to those of its order. round counts from 1. Only the first
// inspected delivery of a round counts, so a repeated call changes nothing.
func (s *Announcements) CountInspection(ctx context.Context, id string, generation, round int, found order.Inspected) error {
	if found.Photos == 0 {
		return nil
	}
	_, err := s.announcer(ctx, "count_inspection", id, generation, s.records.keys(Tracked{ID: id}), script.Args{
		"round": round, "photos": found.Photos, "faulty": found.Faulty,
	})
	return err
}

// writeReplies replaces the records of replies.
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

// Compared notes that the order's channel was compared with the record in this run of Redis. told has
// the unrecorded replies that were found.
func (s *Announcements) Compared(ctx context.Context, id string, run conn.Run, told Told) error {
	found := ""
	if len(told.Replies) > 0 {
		found = kv.Encode(told)
	}
	_, err := s.announcer(ctx, "compared", id, told.Generation, s.records.keys(Tracked{ID: id}), script.Args{"run": inMillis(run.Since), "told": found})
	return err
}

// SkipPending moves the watermark past all events that a channel does not show yet: the channel no
// longer owns the order, or is unreachable for good.
func (s *Announcements) SkipPending(ctx context.Context, id string, generation int) error {
	_, err := s.announcer(ctx, "skip_pending", id, generation, s.records.keys(Tracked{ID: id}), script.Args{})
	return err
}

// Unannounced returns the ids of orders whose channel is behind the record: events
// after the watermark, or a card of an older version.
func (s *Announcements) Unannounced(ctx context.Context) ([]string, error) {
	return s.db.Redis.SMembers(ctx, s.db.Key("lagging")).Result()
}

// Announce puts a job that announces the order, at most once an hour while the
// order and its channel stay unchanged. So a sweep may call it as often as it
// likes.
func (s *Announcements) Announce(ctx context.Context, id string) error {
	t, err := s.records.order(ctx, id)
	if err != nil {
		return err
	}
	why := fmt.Sprintf("v%d:a%d:c%d:h%d", t.Version, t.Announced, t.CardVersion, time.Now().Unix()/3600)
	_, err = s.records.queue.Put(ctx, announceJob(t, why))
	return orderError(id, err)
}

// AnnounceChannel announces all unannounced orders of a channel that can be reached
// again. why makes the ids of the jobs new.
func (s *Announcements) AnnounceChannel(ctx context.Context, team, channel, why string) error {
	orders, err := s.unannouncedIn(ctx, team, channel)
	for _, t := range orders {
		if _, err := s.records.queue.Put(ctx, announceJob(t, why)); err != nil {
			return orderError(t.ID, err)
		}
	}
	return err
}

// unannouncedIn returns the unannounced orders of a channel.
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

// NewsArgs returns arguments for a script that writes a new version of an order: its entry among the active orders,
// and its jobs.
func (s *Announcements) NewsArgs(ctx context.Context, next Tracked) (active string, announce, poll script.Args) {
	job := announceJob(next, fmt.Sprintf("v%d", next.Version))
	return activeEntry(next), s.records.queue.PutArgs(ctx, job), s.records.polls.WakeArgs(tenants.PollJob())
}

// foundLife is how long a thread leads to an order that only the thread's first message names. The
// announcer makes that permanent when it records the card.
const foundLife = 24 * time.Hour

// FoundThread makes the thread of that message lead to the order, for [Orders.ByThread]: the message
// names the order, and the card is not recorded, or not yet.
func (s *Announcements) FoundThread(ctx context.Context, t Tracked, ts string) error {
	key := s.db.Key("thread", t.Owner.Team, t.Owner.Channel, ts)
	value := fmt.Sprintf("%d:%s", t.Owner.Generation, t.ID)
	return orderError(t.ID, s.db.Redis.SetNX(ctx, key, value, foundLife).Err())
}

// MayHaveCard reports whether the channel may show a card that is not recorded: the
// answer to its post was lost, or is still to come.
func (s *Announcements) MayHaveCard(ctx context.Context, team, channel string) (bool, error) {
	orders, err := s.unannouncedIn(ctx, team, channel)
	return slices.ContainsFunc(orders, func(t Tracked) bool { return t.InFlight != nil && t.InFlight.Event == 0 }), err
}
