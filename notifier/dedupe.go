package notifier

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/slack-go/slack"

	"darkroom/bot"
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
	body, err := json.Marshal(l)
	if err != nil {
		return err
	}
	job := queue.Job{
		ID:   fmt.Sprintf("look:%s:%d:%s:%d:%d", l.Order, l.Generation, l.Event, l.Mark.At.UnixMilli(), l.Try),
		Lane: lane, Kind: LookKind, Body: body,
	}
	if _, err := a.queue.PutAfter(ctx, job, a.lookAfter); err != nil {
		return fmt.Errorf("later look: %w", err)
	}
	return nil
}

// look handles a job of the kind [LookKind]: it reads once more, and deletes
// the doubles of a message that was out after all. It must run in the lane of
// the order's channel.
func (a *Announcer) look(ctx context.Context, d *queue.Delivery, l lookJob) error {
	t, err := a.store.Order(ctx, l.Order)
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
		a.log.WarnContext(ctx, "no later look", "order", l.Order, "err", err)
		return nil
	}
	return a.postponed(ctx, err)
}

// deleteDoubles leaves one message: the recorded one, else the oldest.
func (a *Announcer) deleteDoubles(ctx context.Context, t store.Tracked, l lookJob, kept string) error {
	m := mention{order: l.Order, event: l.Event, generation: l.Generation}
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
		a.log.InfoContext(ctx, "double deleted", "order", l.Order, "event", l.Event, "ts", msg.Timestamp)
		if err := a.slack.Delete(ctx, t.Owner.Channel, msg.Timestamp); err != nil && !errors.Is(err, bot.ErrGone) {
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
	for _, p := range t.Thread {
		if p.Event == mark {
			return p.TS
		}
	}
	return ""
}
