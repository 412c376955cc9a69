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
	unfurlLife  = 10 * time.Minute // after which a message is not answered any more
	unfurlAgain = time.Hour        // a channel is shown an order once within it
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

// unfurlRun is one delivery of an unfurl job.
type unfurlRun struct {
	*unfurl
	message *onePost
	job     store.UnfurlJob
}

// handle does a [store.UnfurlKind] job: one reply shows all named orders that everybody in the channel may
// see. Nobody asked for the reply, so it is left out if it cannot be posted soon.
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

// named returns the orders to show.
func (r *unfurlRun) named(ctx context.Context) ([]store.Tracked, error) {
	var orders []store.Tracked
	for _, reference := range r.job.References {
		t, ok, err := r.order(ctx, reference)
		if err != nil {
			return nil, err
		}
		if ok {
			orders = append(orders, t)
		}
	}
	return orders, nil
}

// order finds an order by its reference. It returns false if the channel must not be shown it: it does not
// exist, not everybody may see it, it was shown within the hour, or the message is in its own thread.
func (r *unfurlRun) order(ctx context.Context, reference string) (store.Tracked, bool, error) {
	t, err := r.orders.Find(ctx, reference)
	if errors.Is(err, store.ErrNotTracked) {
		return t, false, nil
	}
	if err != nil || t.Owner.Channel == r.job.Channel && t.ThreadTS() == r.job.Thread {
		return t, false, err
	}
	if _, shown, err := store.Saved[bool](ctx, r.docs, r.unfurledNote(t)); err != nil || shown {
		return t, false, err
	}
	see, err := r.access.AllSee(ctx, r.job.Team, r.job.Channel, t)
	return t, see, err
}

// unfurledNote names the document for an order that was shown in the channel.
func (r *unfurlRun) unfurledNote(t store.Tracked) string {
	return "unfurled:" + r.job.Team + ":" + r.job.Channel + ":" + t.ID
}
