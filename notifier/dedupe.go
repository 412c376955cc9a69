package notifier

import (
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

// LookKind is the kind of the jobs that look for doubles, see [Announcer.Kinds].
const LookKind = "look"

// looks bounds how often a look waits for the message it is about.
const looks = 5

// lookJob is about one post whose outcome was in doubt.
type lookJob struct {
	Order      string        `json:"order"`
	Generation int           `json:"generation"`
	Event      string        `json:"event"` // as in the metadata
	Mark       store.Posting `json:"mark"`
	Try        int           `json:"try,omitempty"`
}

// lookLater puts one look for each mark, whoever resolves it and how often.
func (a *Announcer) lookLater(ctx context.Context, lane string, l lookJob) error {
	id := fmt.Sprintf("look:%s:%d:%s:%d:%d", l.Order, l.Generation, l.Event, l.Mark.At.UnixMilli(), l.Try)
	return a.put(ctx, queue.Job{ID: id, Lane: lane, Kind: LookKind}, l, a.LookAfter)
}

// put leaves a job for later.
func (a *Announcer) put(ctx context.Context, job queue.Job, body any, after time.Duration) error {
	var err error
	if job.Body, err = json.Marshal(body); err != nil {
		return err
	}
	if _, err := a.Queue.PutAfter(ctx, job, after); err != nil {
		return fmt.Errorf("job %s: %w", job.ID, err)
	}
	return nil
}

// look handles a job of the kind [LookKind]: it reads once more, and deletes
// the doubles of a message that was out after all. It must run in the lane of
// the order's channel.
func (a *Announcer) look(ctx context.Context, d *queue.Delivery, l lookJob) error {
	t, err := a.Store.Order(ctx, l.Order)
	if errors.Is(err, store.ErrNotTracked) || err == nil && t.Owner.Generation != l.Generation {
		return nil
	}
	if err != nil {
		return a.postponed(ctx, err)
	}
	kept := recorded(t, l.Mark.Event)
	if kept == "" && l.Try < looks {
		l.Try++
		return a.postponed(ctx, a.lookLater(ctx, d.Lane, l))
	}
	err = a.deleteDoubles(ctx, t, l, kept)
	if _, out := outOfReach(err); out {
		a.Log.WarnContext(ctx, "no later look", "order", l.Order, "err", err)
		return nil
	}
	return a.postponed(ctx, err)
}

// deleteDoubles leaves one message: the recorded one, else the oldest.
func (a *Announcer) deleteDoubles(ctx context.Context, t store.Tracked, l lookJob, kept string) error {
	m := cards.About{Order: l.Order, Event: l.Event, Generation: l.Generation}
	found, err := a.find(ctx, t, m, l.Mark.At)
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

// recorded is the timestamp on record of the mark's message; empty: none yet.
func recorded(t store.Tracked, mark int64) string {
	if mark == cardMark {
		return t.CardTS
	}
	return postedOf(t, mark).TS
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
