package notifier

import (
	"context"
	"errors"
	"time"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/store"
	"darkroom/store/queue"
)

// holdState is what such a job keeps between its deliveries.
type holdState struct {
	Sending time.Time `json:"sending,omitzero"` // since when the question may be out; zero: it is not
}

// hold handles a job of the kind [store.HoldKind]: it shows a channel a question to its approvers as it stands,
// in one message. It runs in the lane of the question.
func (a *Announcer) hold(ctx context.Context, d *queue.Delivery, job store.HoldJob) error {
	state, err := queue.State[holdState](d)
	if err != nil {
		return err
	}
	h, decision, err := a.Store.Hold(ctx, job.Hold)
	if errors.Is(err, store.ErrAbsent) {
		return nil // its draft is as old
	}
	if err == nil {
		err = a.showHold(ctx, d, &state, h, decision)
	}
	if errors.Is(err, bot.ErrNotInChannel) && a.join(ctx, h.Channel) {
		return queue.Wait(tryAgain)
	}
	if why, out := outOfReach(err); out {
		a.Log.WarnContext(ctx, "approvers not asked: channel out of reach", "channel", h.Channel, "why", why, "err", err)
		return queue.Wait(longestWait)
	}
	if errors.Is(err, bot.ErrUnknownOutcome) {
		return queue.Wait(a.OutcomeAfter)
	}
	return a.postponed(ctx, err)
}

func (a *Announcer) showHold(ctx context.Context, d *queue.Delivery, state *holdState, h store.Hold, decision *store.HoldDecision) error {
	m := cards.HoldQuestion(h, decision)
	post := bot.Post{Channel: h.Channel, Text: m.Text, Blocks: m.Blocks, Metadata: m.Metadata}
	ts, posted, err := noted[string](ctx, a.Store, store.HoldPostedNote(h.ID()))
	if err != nil {
		return err
	}
	if !posted {
		if ts, err = a.postHold(ctx, d, state, post, h); err != nil {
			return err
		}
		return a.Store.PutTTL(ctx, store.HoldPostedNote(h.ID()), ts, store.HoldLife)
	}
	err = a.Slack.Edit(ctx, ts, post)
	if errors.Is(err, bot.ErrGone) || errors.Is(err, bot.ErrNotEditable) {
		return nil // somebody deleted it: the deed is done all the same
	}
	return err
}

// postHold posts the question, unless a delivery before did and could not say so.
func (a *Announcer) postHold(ctx context.Context, d *queue.Delivery, state *holdState, post bot.Post, h store.Hold) (string, error) {
	if after := a.Slack.Turn(ctx, h.Channel); after > 0 {
		return "", queue.Wait(after)
	}
	if !state.Sending.IsZero() {
		if ts, err := a.findHold(ctx, h, state.Sending); ts != "" || err != nil {
			return ts, err
		}
	}
	state.Sending = d.Now()
	if err := d.SetState(ctx, *state); err != nil {
		return "", err
	}
	ts, err := a.Slack.Post(ctx, post)
	if surelyNotSent(err) {
		state.Sending = time.Time{}
		err = errors.Join(err, d.SetState(ctx, *state))
	}
	return ts, err
}

// findHold is the timestamp of the question that is out, "" when there is none.
func (a *Announcer) findHold(ctx context.Context, h store.Hold, since time.Time) (string, error) {
	me, err := a.Slack.Identity(ctx)
	if err != nil {
		return "", err
	}
	messages, err := a.Slack.History(ctx, h.Channel, since.Add(-clockSkew))
	if errors.Is(err, bot.ErrTooMany) {
		err = nil
	}
	for _, m := range messages {
		if by(me, m) && cards.HoldOf(m) == h.ID() {
			return m.Timestamp, nil
		}
	}
	return "", err
}
