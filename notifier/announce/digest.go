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
	digestLife = 7 * 24 * time.Hour // of the note of which day a channel had a digest
	digestMost = 200                // active orders of a channel that it is made of
)

type digestSlack interface {
	joiner
	identifier
}

// digest posts a channel's digest of the day.
type digest struct {
	slack    digestSlack
	settings *store.ChannelSettings
	orders   orders
	docs     store.Documents
	once     *postOnce
	later    later
	log      *slog.Logger
}

// digestRun is one delivery's work on a channel's digest.
type digestRun struct {
	*digest
	message *onePost
	job     store.DigestJob
}

// handle does a job of the kind [store.DigestKind]: it posts one message when there is something to say. It must run in
// the lane of the channel. A channel out of reach gets none: tomorrow there is another.
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
	if err != nil || last >= r.job.Day { // days follow each other, wherever the channel's clock stands
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
	m, tells, err := r.draw(ctx)
	if err != nil || !tells {
		return err
	}
	if _, err := r.message.post(ctx, m); err != nil {
		return err
	}
	return r.posted(ctx)
}

// draw is the digest; false when there is nothing to say, or no digest is wanted any more.
func (r *digestRun) draw(ctx context.Context) (kit.Message, bool, error) {
	settings, err := r.settings.Of(ctx, r.job.Team, r.job.Channel)
	if err != nil || !settings.Digest.Valid() {
		return kit.Message{}, false, err
	}
	orders, _, err := r.orders.InChannels(ctx, r.job.Team, []string{r.job.Channel}, func(t store.Tracked) bool { return !t.Ended() }, 0, digestMost)
	if err != nil {
		return kit.Message{}, false, err
	}
	m, tells := cards.Digest(orders, r.job.Day, linksTo(ctx, r.slack, r.log), settings.Clock(), time.Now())
	return m, tells, nil
}

// posted keeps that the channel had its digest of the day.
func (r *digestRun) posted(ctx context.Context) error {
	return r.docs.PutTTL(ctx, r.digestNote(), r.job.Day, digestLife)
}
