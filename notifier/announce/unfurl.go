package announce

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot/client"
	"darkroom/cards"
	"darkroom/store"
	"darkroom/store/queue"
)

const (
	unfurlLife  = 10 * time.Minute // after which a message is answered no more
	unfurlAgain = time.Hour        // in which a channel is told of an order once
)

// unfurl answers a message that names orders.
type unfurl struct {
	slack    identifier
	settings *store.ChannelSettings
	orders   orders
	docs     store.Documents
	access   Access // nil: no reference is answered
	once     *postOnce
	later    later
	log      *slog.Logger
}

// unfurlRun is one delivery's work on the answer to a message.
type unfurlRun struct {
	*unfurl
	message *onePost
	job     store.UnfurlJob
}

// handle does a job of the kind [store.UnfurlKind]: it posts one reply for all orders that a message names and that
// everybody in its channel may see. Nobody asked for the reply: it is left out when it cannot be posted soon.
func (h *unfurl) handle(ctx context.Context, d *queue.Delivery, job store.UnfurlJob) error {
	p, err := h.once.message(d, job.Channel, job.Thread, func(m slack.Message) bool { return cards.UnfurlOf(m) == job.Message })
	if err != nil {
		return err
	}
	r := &unfurlRun{unfurl: h, message: p, job: job}
	err = r.work(ctx)
	_, out := outOfReach(err)
	late := d.Now().Sub(d.PutAt) > unfurlLife
	if err != nil && (out || late || errors.Is(err, client.ErrGone) || errors.Is(err, client.ErrPayload)) {
		h.log.InfoContext(ctx, "references of a message not answered", "channel", job.Channel, "message", job.Message, "err", err)
		return nil
	}
	return h.later.awaitAlone(ctx, h.log, d, err)
}

func (r *unfurlRun) work(ctx context.Context) error {
	settings, err := r.settings.Of(ctx, r.job.Team, r.job.Channel)
	if err != nil || !settings.Unfurl || r.access == nil {
		return err
	}
	orders, err := r.named(ctx)
	if err != nil || len(orders) == 0 {
		return err
	}
	ts, err := r.message.out(ctx)
	if err == nil && ts == "" {
		_, err = r.message.post(ctx, cards.Unfurl(orders, r.job.Message, linksTo(ctx, r.slack, r.log)))
	}
	if err != nil {
		return err
	}
	for _, t := range orders {
		if err := r.docs.PutTTL(ctx, r.unfurledNote(t), true, unfurlAgain); err != nil {
			return err
		}
	}
	return nil
}

// named are those that the channel is to be told of.
func (r *unfurlRun) named(ctx context.Context) ([]store.Tracked, error) {
	var orders []store.Tracked
	for _, reference := range r.job.References {
		t, tells, err := r.order(ctx, reference)
		if err != nil {
			return nil, err
		}
		if tells {
			orders = append(orders, t)
		}
	}
	return orders, nil
}

// order finds the order of that reference; false if the channel must not be told of it: there is no such order, not
// everybody there may see it, it was named within the hour, or the message stands under its card.
func (r *unfurlRun) order(ctx context.Context, reference string) (store.Tracked, bool, error) {
	t, err := r.orders.Find(ctx, reference)
	if errors.Is(err, store.ErrNotTracked) {
		return t, false, nil
	}
	if err != nil || t.Owner.Channel == r.job.Channel && t.CardTS == r.job.Thread {
		return t, false, err
	}
	if _, told, err := store.Saved[bool](ctx, r.docs, r.unfurledNote(t)); err != nil || told {
		return t, false, err
	}
	see, err := r.access.AllSee(ctx, r.job.Team, r.job.Channel, t)
	return t, see, err
}

// unfurledNote holds that the channel was told of an order.
func (r *unfurlRun) unfurledNote(t store.Tracked) string {
	return "unfurled:" + r.job.Team + ":" + r.job.Channel + ":" + t.ID
}
