package announce

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot/client"
	"darkroom/cards"
	"darkroom/store"
	"darkroom/store/queue"
)

// DedupeKind is the kind of the jobs that delete doubles, see [Announcer.Kinds].
const DedupeKind = "look"

// mostTries bounds how often the job waits for the message it is about.
const mostTries = 5

// dedupeJob is about one post whose outcome was unknown.
type dedupeJob struct {
	Order      string         `json:"order"`
	Generation int            `json:"generation"`
	Event      string         `json:"event"` // as in the metadata
	Mark       store.InFlight `json:"mark"`
	Try        int            `json:"try,omitempty"`
}

func (l dedupeJob) id() string {
	return fmt.Sprintf("look:%s:%d:%s:%d:%d", l.Order, l.Generation, l.Event, l.Mark.At.UnixMilli(), l.Try)
}

type deleter interface {
	Delete(ctx context.Context, channel, ts string) error
}

// dedupe deletes the doubles of a message whose outcome was unknown.
type dedupe struct {
	slack  deleter
	orders orders
	posts  *ownPosts
	later  later
	after  time.Duration
	log    *slog.Logger
}

// put puts one job for each mark, however often the mark is resolved.
func (h *dedupe) put(ctx context.Context, lane string, l dedupeJob) error {
	return h.later.put(ctx, queue.Job{ID: l.id(), Lane: lane, Kind: DedupeKind}, l, h.after)
}

// handle does a job of the kind [DedupeKind]: it reads the channel once more and deletes the doubles of a message
// that was out after all. It must run in the lane of the order's channel.
func (h *dedupe) handle(ctx context.Context, d *queue.Delivery, l dedupeJob) error {
	t, err := h.orders.Order(ctx, l.Order)
	if errors.Is(err, store.ErrNotTracked) || err == nil && t.Owner.Generation != l.Generation {
		return nil
	}
	if err != nil {
		return postponed(ctx, h.log, err)
	}
	kept := t.CardTS // what is on record of the mark's message; empty: nothing yet
	if l.Mark.Event != cardMark {
		kept = postedOf(t, l.Mark.Event).TS
	}
	if kept == "" && l.Try < mostTries {
		l.Try++
		return postponed(ctx, h.log, h.put(ctx, d.Lane, l))
	}
	err = h.deleteDoubles(ctx, t, l, kept)
	if errors.Is(err, client.ErrReadTurn) {
		return postponed(ctx, h.log, h.awaitSlot(ctx, d, l, err))
	}
	if _, out := outOfReach(err); out {
		h.log.WarnContext(ctx, "no later look", "order", l.Order, "err", err)
		return nil
	}
	return postponed(ctx, h.log, err)
}

// deleteDoubles leaves one message: the recorded one, else the oldest.
func (h *dedupe) deleteDoubles(ctx context.Context, t store.Tracked, l dedupeJob, kept string) error {
	m := cards.About{Order: l.Order, Event: l.Event, Generation: l.Generation, Team: t.Owner.Team}
	found, err := h.posts.doubles(ctx, t, m, l.Mark.At, kept)
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
		h.log.InfoContext(ctx, "double deleted", "order", l.Order, "event", l.Event, "ts", msg.Timestamp)
		if err := h.slack.Delete(ctx, t.Owner.Channel, msg.Timestamp); err != nil && !errors.Is(err, client.ErrGone) {
			return err
		}
	}
	return nil
}

// awaitSlot puts the job again for its slot to read.
func (h *dedupe) awaitSlot(ctx context.Context, d *queue.Delivery, l dedupeJob, err error) error {
	after, due := slotAfter(d, err)
	id := fmt.Sprintf("%s:read:%d", l.id(), due)
	if d.ID == id {
		return queue.Wait(after)
	}
	return h.later.put(ctx, queue.Job{ID: id, Lane: d.Lane, Kind: DedupeKind}, l, after)
}
