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

// DedupeKind is the kind of job that deletes doubles, see [Announcer.Kinds].
const DedupeKind = "look"

// mostTries bounds how often the job waits for its message to be recorded.
const mostTries = 5

// dedupeJob concerns one post whose outcome was unknown.
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

// dedupe deletes doubles of a message whose outcome was unknown.
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

// handle does a [DedupeKind] job: it reads the channel again and deletes doubles of a message that was
// delivered after all. It must run in the lane of the order's channel.
func (h *dedupe) handle(ctx context.Context, d *queue.Delivery, l dedupeJob) error {
	t, err := h.orders.Order(ctx, l.Order)
	if errors.Is(err, store.ErrNotTracked) || err == nil && t.Owner.Generation != l.Generation {
		return nil
	}
	if err != nil {
		return postponed(ctx, h.log, err)
	}
	recorded := t.CardTS // ts of the recorded message; "": not recorded yet
	if l.Mark.Event != cardMark {
		recorded = postedOf(t, l.Mark.Event).TS
	}
	if recorded == "" && l.Try < mostTries {
		l.Try++
		return postponed(ctx, h.log, h.put(ctx, d.Lane, l))
	}
	err = h.deleteDoubles(ctx, t, l, recorded)
	if errors.Is(err, client.ErrNoReadSlot) {
		return postponed(ctx, h.log, h.awaitSlot(ctx, d, l, err))
	}
	if _, out := outOfReach(err); out {
		h.log.WarnContext(ctx, "no later look", "order", l.Order, "err", err)
		return nil
	}
	return postponed(ctx, h.log, err)
}

// deleteDoubles keeps one message: the recorded one, else the oldest.
func (h *dedupe) deleteDoubles(ctx context.Context, t store.Tracked, l dedupeJob, recorded string) error {
	m := cards.About{Order: l.Order, Event: l.Event, Generation: l.Generation, Team: t.Owner.Team}
	found, err := h.posts.doubles(ctx, t, m, l.Mark.At, recorded)
	if err != nil || len(found) == 0 {
		return err
	}
	if !slices.ContainsFunc(found, func(msg slack.Message) bool { return msg.Timestamp == recorded }) {
		recorded = found[0].Timestamp
	}
	for _, msg := range found {
		if msg.Timestamp == recorded {
			continue
		}
		h.log.InfoContext(ctx, "double deleted", "order", l.Order, "event", l.Event, "ts", msg.Timestamp)
		if err := h.slack.Delete(ctx, t.Owner.Channel, msg.Timestamp); err != nil && !errors.Is(err, client.ErrGone) {
			return err
		}
	}
	return nil
}

// awaitSlot puts the job again for when its slot to read comes.
func (h *dedupe) awaitSlot(ctx context.Context, d *queue.Delivery, l dedupeJob, err error) error {
	after, due := slotAfter(d, err)
	id := fmt.Sprintf("%s:read:%d", l.id(), due)
	if d.ID == id {
		return queue.Wait(after)
	}
	return h.later.put(ctx, queue.Job{ID: id, Lane: d.Lane, Kind: DedupeKind}, l, after)
}
