package announce

import (
	"context"
	"errors"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/store"
	"darkroom/store/queue"
)

// hold handles a job of the kind [store.HoldKind]: it shows a channel a question to its approvers as it stands,
// in one message. It runs in the lane of the question.
func (a *Announcer) hold(ctx context.Context, d *queue.Delivery, job store.HoldJob) error {
	h, decision, err := a.Store.Hold(ctx, job.Hold)
	if errors.Is(err, store.ErrAbsent) {
		return nil // its draft is as old
	}
	if err == nil {
		err = a.showHold(ctx, d, h, decision)
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

func (a *Announcer) showHold(ctx context.Context, d *queue.Delivery, h store.Hold, decision *store.HoldDecision) error {
	drafts, err := a.allowed(ctx, h, decision)
	if err != nil {
		return err
	}
	m := cards.HoldQuestion(h, decision, drafts...)
	ts, posted, err := store.Saved[string](ctx, a.Store, store.HoldPostedNote(h.ID()))
	if err != nil {
		return err
	}
	if !posted {
		if ts, err = a.postHold(ctx, d, h, m); err != nil {
			return err
		}
		return a.Store.PutTTL(ctx, store.HoldPostedNote(h.ID()), ts, store.HeldLife)
	}
	err = a.Slack.Edit(ctx, ts, bot.Post{Channel: h.Channel, Text: m.Text, Blocks: m.Blocks, Metadata: m.Metadata})
	if errors.Is(err, bot.ErrGone) || errors.Is(err, bot.ErrNotEditable) {
		return nil // somebody deleted it: the deed is done all the same
	}
	return err
}

// allowed are the drafts that tell what became of what was allowed, as far as they are kept.
func (a *Announcer) allowed(ctx context.Context, h store.Hold, decision *store.HoldDecision) (drafts []store.Draft, err error) {
	if decision == nil || !decision.Allowed {
		return nil, nil
	}
	for _, id := range h.Drafts() {
		d, err := a.Store.Draft(ctx, id)
		switch {
		case err == nil:
			drafts = append(drafts, d)
		case !errors.Is(err, store.ErrNoDraft):
			return nil, err
		}
	}
	return drafts, nil
}

// postHold posts the question, unless a delivery before did and could not say so.
func (a *Announcer) postHold(ctx context.Context, d *queue.Delivery, h store.Hold, m cards.Message) (string, error) {
	p, err := a.onePost(d, h.Channel, "", func(m slack.Message) bool { return cards.HoldOf(m) == h.ID() })
	if err != nil {
		return "", err
	}
	if ts, err := p.out(ctx); ts != "" || err != nil {
		return ts, err
	}
	return p.post(ctx, m)
}
