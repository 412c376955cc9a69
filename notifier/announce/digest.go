package announce

import (
	"context"
	"errors"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/store"
	"darkroom/store/queue"
)

const (
	digestLife = 7 * 24 * time.Hour // of the note of which day a channel had a digest
	digestMost = 200                // active orders of a channel that it is made of
)

// digestRun is one delivery's work on a channel's digest.
type digestRun struct {
	*onePost
	job store.DigestJob
}

// digest handles a job of the kind [store.DigestKind]: one message, when there is something to say. It must run in
// the lane of the channel. A channel that cannot be reached has none: tomorrow there is another.
func (a *Announcer) digest(ctx context.Context, d *queue.Delivery, job store.DigestJob) error {
	p, err := a.onePost(d, job.Channel, "", func(m slack.Message) bool {
		day, is := cards.DigestDay(m)
		return is && day == job.Day
	})
	if err != nil {
		return err
	}
	r := &digestRun{onePost: p, job: job}
	err = r.work(ctx)
	if errors.Is(err, bot.ErrNotInChannel) && a.join(ctx, job.Channel) {
		err = r.work(ctx)
	}
	if _, out := outOfReach(err); out || errors.Is(err, bot.ErrPayload) {
		a.Log.WarnContext(ctx, "no digest", "channel", job.Channel, "day", job.Day, "err", err)
		return nil
	}
	return a.awaitAlone(ctx, d, err)
}

// digestNote holds of which day the channel last had a digest.
func (r *digestRun) digestNote() string { return "digest:" + r.job.Team + ":" + r.job.Channel }

func (r *digestRun) work(ctx context.Context) error {
	last, _, err := store.Saved[string](ctx, r.Store, r.digestNote())
	if err != nil || last >= r.job.Day { // days follow each other, wherever the channel's clock stands
		return err
	}
	if ts, err := r.out(ctx); err != nil {
		return err
	} else if ts != "" {
		return r.posted(ctx)
	}
	if r.d.Now().After(r.job.Until) {
		return nil
	}
	m, tells, err := r.message(ctx)
	if err != nil || !tells {
		return err
	}
	if _, err := r.post(ctx, m); err != nil {
		return err
	}
	return r.posted(ctx)
}

// message is what the channel reads; false when there is nothing to say, or it is not wanted any more.
func (r *digestRun) message(ctx context.Context) (cards.Message, bool, error) {
	settings, err := r.Store.Settings(ctx, r.job.Team, r.job.Channel)
	if err != nil || !settings.Digest.Valid() {
		return cards.Message{}, false, err
	}
	orders, _, err := r.Store.InChannels(ctx, r.job.Team, []string{r.job.Channel}, func(t store.Tracked) bool { return !t.Ended() }, 0, digestMost)
	if err != nil {
		return cards.Message{}, false, err
	}
	m, tells := cards.Digest(orders, r.job.Day, r.links(ctx), settings.Clock(), time.Now())
	return m, tells, nil
}

// posted keeps that the channel had its digest of the day.
func (r *digestRun) posted(ctx context.Context) error {
	return r.Store.PutTTL(ctx, r.digestNote(), r.job.Day, digestLife)
}
