package announce

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/store"
	"darkroom/store/queue"
)

// DedupeKind is the kind of the jobs that look for doubles, see [Announcer.Kinds].
const DedupeKind = "look"

// looks bounds how often a look waits for the message it is about.
const looks = 5

// dedupeJob is about one post whose outcome was in doubt.
type dedupeJob struct {
	Order      string         `json:"order"`
	Generation int            `json:"generation"`
	Event      string         `json:"event"` // as in the metadata
	Mark       store.InFlight `json:"mark"`
	Try        int            `json:"try,omitempty"`
}

// dedupeLater puts one look for each mark, whoever resolves it and how often.
func (a *Announcer) dedupeLater(ctx context.Context, lane string, l dedupeJob) error {
	return a.put(ctx, queue.Job{ID: l.id(), Lane: lane, Kind: DedupeKind}, l, a.DedupeAfter)
}

func (l dedupeJob) id() string {
	return fmt.Sprintf("look:%s:%d:%s:%d:%d", l.Order, l.Generation, l.Event, l.Mark.At.UnixMilli(), l.Try)
}

// put leaves a job for later.
func (a *Announcer) put(ctx context.Context, job queue.Job, body any, after time.Duration) error {
	var err error
	if job.Body, err = json.Marshal(body); err != nil {
		return err
	}
	_, err = a.Queue.PutAfter(ctx, job, after)
	return err
}

// dedupe handles a job of the kind [DedupeKind]: it reads once more, and deletes
// the doubles of a message that was out after all. It must run in the lane of
// the order's channel.
func (a *Announcer) dedupe(ctx context.Context, d *queue.Delivery, l dedupeJob) error {
	t, err := a.Store.Order(ctx, l.Order)
	if errors.Is(err, store.ErrNotTracked) || err == nil && t.Owner.Generation != l.Generation {
		return nil
	}
	if err != nil {
		return a.postponed(ctx, err)
	}
	kept := t.CardTS // what is on record of the mark's message; empty: nothing yet
	if l.Mark.Event != cardMark {
		kept = postedOf(t, l.Mark.Event).TS
	}
	if kept == "" && l.Try < looks {
		l.Try++
		return a.postponed(ctx, a.dedupeLater(ctx, d.Lane, l))
	}
	err = a.deleteDoubles(ctx, t, l, kept)
	if errors.Is(err, bot.ErrReadTurn) {
		return a.postponed(ctx, a.awaitTurn(ctx, d, l, err))
	}
	if _, out := outOfReach(err); out {
		a.Log.WarnContext(ctx, "no later look", "order", l.Order, "err", err)
		return nil
	}
	return a.postponed(ctx, err)
}

// deleteDoubles leaves one message: the recorded one, else the oldest.
func (a *Announcer) deleteDoubles(ctx context.Context, t store.Tracked, l dedupeJob, kept string) error {
	m := cards.About{Order: l.Order, Event: l.Event, Generation: l.Generation, Team: t.Owner.Team}
	found, err := a.doubles(ctx, t, m, l.Mark.At, kept)
	if err != nil || len(found) == 0 {
		return err
	}
	if !slices.ContainsFunc(found, func(msg slack.Message) bool { return msg.Timestamp == kept }) {
		kept = found[0].Timestamp
	}
	for _, msg := range found {
		if msg.Timestamp == kept {
			continue
		}
		a.Log.InfoContext(ctx, "double deleted", "order", l.Order, "event", l.Event, "ts", msg.Timestamp)
		if err := a.Slack.Delete(ctx, t.Owner.Channel, msg.Timestamp); err != nil && !errors.Is(err, bot.ErrGone) {
			return err
		}
	}
	return nil
}

// postedOf is the reply on record that tells of an event.
func postedOf(t store.Tracked, event int64) store.Posted {
	for _, p := range t.Thread {
		if p.Event == event {
			return p
		}
	}
	return store.Posted{}
}

// clockSkew is how far Slack's clock may be from ours. A post is known by its metadata, so
// reading further back costs a page and finds nothing wrong; reading too little finds
// nothing, and the post would be made again.
const clockSkew = 15 * time.Minute

// find returns the posts of ours that say m of themselves and were made since, oldest
// first: in the order's thread, or in the channel for a card. Of those that an event told
// of it is the newest: an older one may have been deleted. near is when it was posted, if it was.
func (a *Announcer) find(ctx context.Context, t store.Tracked, m cards.About, since, near time.Time) ([]slack.Message, error) {
	heard, err := a.heardOf(ctx, t.Owner.Channel, since.Add(-clockSkew), m.Is)
	if err != nil || len(heard) > 0 {
		return heard[max(len(heard)-1, 0):], err
	}
	return a.read(ctx, t, m, bot.Reading{Oldest: since.Add(-clockSkew), Near: near, Is: m.Is})
}

// doubles returns all of them. Where it would have to wait for its turn to read, what events told of is enough, if they
// told of the one that is kept: then they come.
func (a *Announcer) doubles(ctx context.Context, t store.Tracked, m cards.About, since time.Time, kept string) ([]slack.Message, error) {
	oldest := since.Add(-clockSkew)
	found, err := a.read(ctx, t, m, bot.Reading{Oldest: oldest, Late: true})
	if !errors.Is(err, bot.ErrReadTurn) {
		return found, err
	}
	heard, lost := a.heardOf(ctx, t.Owner.Channel, oldest, m.Is)
	if lost != nil || slices.ContainsFunc(heard, func(msg slack.Message) bool { return msg.Timestamp == kept }) {
		return heard, lost
	}
	return nil, err
}

// read looks where the message would be. Without its thread, a reply would have
// landed in the channel.
func (a *Announcer) read(ctx context.Context, t store.Tracked, m cards.About, r bot.Reading) (messages []slack.Message, err error) {
	me, err := a.Slack.Identity(ctx)
	if err != nil {
		return nil, err
	}
	r.Channel = t.Owner.Channel
	if m.Event != cards.CardEvent {
		r.Thread = t.CardTS
	}
	if messages, err = a.Slack.Read(ctx, r); errors.Is(err, bot.ErrGone) && r.Thread != "" {
		r.Thread = ""
		messages, err = a.Slack.Read(ctx, r)
	}
	if err != nil && !errors.Is(err, bot.ErrTooMany) { // the channel talks faster than it can be read: waiting would only add to it
		return nil, err
	}
	found := slices.DeleteFunc(messages, func(msg slack.Message) bool { return !m.Is(msg) || !me.Wrote(msg) })
	slices.SortFunc(found, func(a, b slack.Message) int { return cmp.Compare(a.Timestamp, b.Timestamp) })
	return found, nil
}
