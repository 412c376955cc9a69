package announce

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot/client"
	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/store"
	"darkroom/store/queue"
)

const (
	digestLife = 7 * 24 * time.Hour // lifetime of a digestNote
	digestMost = 200                // active orders in a digest
)

type digestSlack interface {
	joiner
	identifier
}

// digest posts a channel's daily digest.
type digest struct {
	slack    digestSlack
	settings *store.ChannelSettings
	orders   orders
	docs     store.Documents
	once     *postOnce
	later    later
	log      *slog.Logger
}

// digestRun is one delivery of a digest job.
type digestRun struct {
	*digest
	message *onePost
	job     store.DigestJob
}

// handle does a [store.DigestKind] job: it posts one message if there is something to report. It must run
// in the channel's lane. A channel out of reach gets no digest that day.
func (h *digest) handle(ctx context.Context, d *queue.Delivery, job store.DigestJob) error {
	p, err := h.once.message(d, job.Channel, "", func(m slack.Message) bool {
		day, is := cards.DigestDay(m)
		return is && day == job.Day
	})
	if err != nil {
		return err
	}
	r := &digestRun{digest: h, message: p, job: job}
	err = r.work(ctx)
	if errors.Is(err, client.ErrNotInChannel) && join(ctx, h.slack, h.log, job.Channel) {
		err = r.work(ctx)
	}
	if _, out := outOfReach(err); out || errors.Is(err, client.ErrPayload) {
		h.log.WarnContext(ctx, "no digest", "channel", job.Channel, "day", job.Day, "err", err)
		return nil
	}
	return h.later.awaitAlone(ctx, h.log, d, err)
}

// digestNote names the document with the day of the channel's last digest.
func (r *digestRun) digestNote() string { return "digest:" + r.job.Team + ":" + r.job.Channel }

func (r *digestRun) work(ctx context.Context) error {
	last, _, err := store.Saved[string](ctx, r.docs, r.digestNote())
	if err != nil || last >= r.job.Day { // dates compare as text
		return err
	}
	if ts, err := r.message.out(ctx); err != nil {
		return err
	} else if ts != "" {
		return r.posted(ctx)
	}
	if r.message.d.Now().After(r.job.Until) {
		return nil
	}
	m, ok, err := r.draw(ctx)
	if err != nil || !ok {
		return err
	}
	if _, err := r.message.post(ctx, m); err != nil {
		return err
	}
	return r.posted(ctx)
}

// draw returns the digest. It returns false if there is nothing to report or the channel wants no digest
// any more.
func (r *digestRun) draw(ctx context.Context) (kit.Message, bool, error) {
	settings, err := r.settings.Of(ctx, r.job.Team, r.job.Channel)
	if err != nil || !settings.Digest.Valid() {
		return kit.Message{}, false, err
	}
	orders, _, err := r.orders.InChannels(ctx, r.job.Team, []string{r.job.Channel}, func(t store.Tracked) bool { return !t.Ended() }, 0, digestMost)
	if err != nil {
		return kit.Message{}, false, err
	}
	m, ok := cards.Digest(orders, r.job.Day, linksTo(ctx, r.slack, r.log), settings.Clock(), time.Now())
	return m, ok, nil
}

// posted records that the channel got its digest of the day.
func (r *digestRun) posted(ctx context.Context) error {
	return r.docs.PutTTL(ctx, r.digestNote(), r.job.Day, digestLife)
}
