package notifier

import (
	"context"
	"errors"
	"slices"
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

// digestState is what such a job keeps between its deliveries.
type digestState struct {
	Posting time.Time `json:"posting,omitzero"` // since when it may be out; zero: it is not
	Plain   bool      `json:"plain,omitempty"`  // Slack refused its blocks
}

// digestRun is one delivery's work on a channel's digest.
type digestRun struct {
	*Announcer
	d     *queue.Delivery
	job   store.DigestJob
	state digestState
}

// digest handles a job of the kind [store.DigestKind]: one message, when there is something to say. It must run in
// the lane of the channel. A channel that cannot be reached has none: tomorrow there is another.
func (a *Announcer) digest(ctx context.Context, d *queue.Delivery, job store.DigestJob) error {
	state, err := queue.State[digestState](d)
	if err != nil {
		return err
	}
	r := &digestRun{Announcer: a, d: d, job: job, state: state}
	err = r.work(ctx)
	if errors.Is(err, bot.ErrNotInChannel) && a.join(ctx, job.Channel) {
		err = r.work(ctx)
	}
	if _, out := outOfReach(err); out || errors.Is(err, bot.ErrPayload) {
		a.Log.WarnContext(ctx, "no digest", "channel", job.Channel, "day", job.Day, "err", err)
		return nil
	}
	return a.postponed(ctx, err)
}

// digestNote holds of which day the channel last had a digest.
func (r *digestRun) digestNote() string { return "digest:" + r.job.Team + ":" + r.job.Channel }

func (r *digestRun) work(ctx context.Context) error {
	last, _, err := noted[string](ctx, r.Store, r.digestNote())
	if err != nil || last >= r.job.Day { // days follow each other, wherever the channel's clock stands
		return err
	}
	if !r.state.Posting.IsZero() {
		if out, err := r.isOut(ctx); err != nil || out {
			return err
		}
	}
	if r.d.Now().After(r.job.Until) {
		return nil
	}
	m, tells, err := r.message(ctx)
	if err != nil || !tells {
		return err
	}
	return r.post(ctx, m)
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
	if r.state.Plain {
		m = cards.Plain(m)
	}
	return m, tells, nil
}

// post leaves a mark and posts. What Slack surely refused needs no looking for.
func (r *digestRun) post(ctx context.Context, m cards.Message) error {
	if after := r.Slack.Turn(ctx, r.job.Channel); after > 0 {
		return queue.Wait(after)
	}
	r.state.Posting = r.d.Now()
	if err := r.d.SetState(ctx, r.state); err != nil {
		return err
	}
	_, err := r.Slack.Post(ctx, bot.Post{Channel: r.job.Channel, Text: m.Text, Blocks: m.Blocks, Metadata: m.Metadata})
	switch {
	case err == nil:
		return r.posted(ctx)
	case errors.Is(err, bot.ErrUnknownOutcome):
		r.Log.InfoContext(ctx, "a digest may be out", "channel", r.job.Channel, "err", err)
		return queue.Wait(r.OutcomeAfter)
	case !surelyNotSent(err):
		return err
	}
	again := errors.Is(err, bot.ErrPayload) && !r.state.Plain
	r.state.Posting, r.state.Plain = time.Time{}, r.state.Plain || again
	if saved := r.d.SetState(ctx, r.state); saved != nil {
		return errors.Join(err, saved)
	}
	if again {
		r.Log.InfoContext(ctx, "a digest is posted as plain text", "channel", r.job.Channel, "err", err)
		return r.post(ctx, cards.Plain(m))
	}
	return err
}

// posted keeps that the channel had its digest of the day.
func (r *digestRun) posted(ctx context.Context) error {
	return r.Store.PutTTL(ctx, r.digestNote(), r.job.Day, digestLife)
}

// isOut looks for the digest in the channel, as soon as it can no longer be under way.
func (r *digestRun) isOut(ctx context.Context) (bool, error) {
	if wait := r.OutcomeAfter - r.d.Now().Sub(r.state.Posting); wait > 0 {
		return false, queue.Wait(wait)
	}
	me, err := r.Slack.Identity(ctx)
	if err != nil {
		return false, err
	}
	messages, err := r.Slack.History(ctx, r.job.Channel, r.state.Posting.Add(-clockSkew))
	if err != nil && !errors.Is(err, bot.ErrTooMany) {
		return false, err
	}
	out := slices.ContainsFunc(messages, func(m slack.Message) bool {
		day, ours := cards.DigestDay(m)
		return ours && day == r.job.Day && by(me, m)
	})
	if !out {
		r.state.Posting = time.Time{}
		return false, r.d.SetState(ctx, r.state)
	}
	return true, r.posted(ctx)
}
