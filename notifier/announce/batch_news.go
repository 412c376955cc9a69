package announce

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/bot/client"
	cardsbatch "darkroom/cards/batch"
	"darkroom/store"
	"darkroom/store/queue"
)

// BatchNewsKind is the kind of job that sends a requester one direct message about deliveries of a batch, where the
// channel sends updates to requesters. See [Announcer.Kinds].
const BatchNewsKind = "batch-news"

type batchNewsJob struct {
	Batch  string `json:"batch"`
	Number int    `json:"number"` // of the message about the deliveries
	TS     string `json:"ts"`     // of that message
	User   string `json:"user"`
}

// batchNews sends the direct messages about deliveries of batches. One order's deliveries are [news].
type batchNews struct {
	slack  newsSlack
	store  *store.BatchCards
	access Access // nil: nobody is told
	once   *postOnce
	later  later
	log    *slog.Logger
}

// put puts a job for each person. The jobs' ids are deterministic, so that nobody is told twice.
func (h *batchNews) put(ctx context.Context, batch string, m *store.DeliveryMessage) error {
	for _, user := range m.Direct {
		job := queue.Job{ID: fmt.Sprintf("%s:%s:%d:%s", BatchNewsKind, batch, m.Number, user), Lane: BatchNewsKind + ":" + batch + ":" + user, Kind: BatchNewsKind}
		if err := h.later.put(ctx, job, batchNewsJob{batch, m.Number, m.TS, user}, 0); err != nil {
			return err
		}
	}
	return nil
}

// handle does a [BatchNewsKind] job.
func (h *batchNews) handle(ctx context.Context, d *queue.Delivery, job batchNewsJob) error {
	err := h.tell(ctx, d, job)
	if isAny(err, client.ErrNoUser, client.ErrNotAllowed, client.ErrNoChannel, client.ErrArchived, client.ErrPayload) || d.Now().Sub(d.PutAt) > newsLife {
		h.log.WarnContext(ctx, "news not told to a follower", "batch", job.Batch, "user", job.User, "err", err)
		return nil
	}
	if client.NeedsOperator(err) {
		return queue.Wait(newsWait)
	}
	return h.later.awaitAlone(ctx, h.log, d, err)
}

// tell posts the message once, if its reader still sees an order of theirs in the batch.
func (h *batchNews) tell(ctx context.Context, d *queue.Delivery, job batchNewsJob) error {
	card, err := h.store.Card(ctx, job.Batch)
	if errors.Is(err, store.ErrNoBatchCard) || err == nil && h.access == nil {
		return nil
	}
	if err != nil {
		return err
	}
	orders, err := h.store.Orders(ctx, card)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(orders, func(t store.Tracked) bool { return t.Owner.Requester == job.User })
	if i < 0 {
		return nil
	}
	if sees, err := h.access.CanSee(ctx, bot.Request{Team: card.Team, User: job.User}, orders[i]); err != nil || !sees {
		return err
	}
	channel, err := h.slack.Direct(ctx, job.User)
	if err != nil {
		return err
	}
	p, err := h.once.message(d, channel, "", func(m slack.Message) bool {
		batch, number := cardsbatch.DeliveriesOf(m)
		return batch == job.Batch && number == job.Number
	})
	if err != nil {
		return err
	}
	if ts, err := p.out(ctx); ts != "" || err != nil {
		return err
	}
	_, err = p.post(ctx, cardsbatch.Delivered(card, job.Number, linksTo(ctx, h.slack, h.log).Message(card.Channel, job.TS, card.TS)))
	return err
}
