package announce

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot/client"
	"darkroom/cards/kit"
	"darkroom/cards/place"
	"darkroom/store"
	"darkroom/store/queue"
)

type holdSlack interface {
	joiner
	Edit(ctx context.Context, ts string, p client.Post) error
}

// hold shows a question to a channel's approvers.
type hold struct {
	slack        holdSlack
	holds        *store.Holds
	drafts       *store.Drafts
	docs         store.Documents
	people       *people
	once         *postOnce
	outcomeAfter time.Duration
	log          *slog.Logger
}

// handle does a [store.HoldKind] job: it shows the current state of a question to approvers in one
// message. It runs in the question's lane.
func (q *hold) handle(ctx context.Context, d *queue.Delivery, job store.HoldJob) error {
	h, decision, err := q.holds.Hold(ctx, job.Hold)
	if errors.Is(err, store.ErrAbsent) {
		return nil // the hold expired, and so did its draft
	}
	if err == nil {
		err = q.show(ctx, d, h, decision)
	}
	if errors.Is(err, client.ErrNotInChannel) && join(ctx, q.slack, q.log, h.Channel) {
		return queue.Wait(tryAgain)
	}
	if why, out := outOfReach(err); out {
		q.log.WarnContext(ctx, "approvers not asked: channel out of reach", "channel", h.Channel, "why", why, "err", err)
		return queue.Wait(maxReachWait)
	}
	if errors.Is(err, client.ErrUnknownOutcome) {
		return queue.Wait(q.outcomeAfter)
	}
	return postponed(ctx, q.log, err)
}

func (q *hold) show(ctx context.Context, d *queue.Delivery, h store.Hold, decision *store.HoldDecision) error {
	drafts, err := q.allowed(ctx, h, decision)
	if err != nil {
		return err
	}
	ids := append([]string{h.User}, h.Asks...)
	if decision != nil {
		ids = append(ids, decision.By)
	}
	h.Names = q.people.names(ctx, ids...)
	m := place.HoldQuestion(h, decision, drafts...)
	ts, posted, err := store.Saved[string](ctx, q.docs, store.HoldPostedDoc(h.ID()))
	if err != nil {
		return err
	}
	if !posted {
		if ts, err = q.post(ctx, d, h, m); err != nil {
			return err
		}
		return q.docs.PutTTL(ctx, store.HoldPostedDoc(h.ID()), ts, store.HeldLife)
	}
	err = q.slack.Edit(ctx, ts, client.Post{Channel: h.Channel, Text: m.Text, Blocks: m.Blocks, Metadata: m.Metadata})
	if errors.Is(err, client.ErrGone) || errors.Is(err, client.ErrNotEditable) {
		return nil // the decision holds without the message
	}
	return err
}

// allowed returns the stored drafts of an allowed question, which show what became of the orders.
func (q *hold) allowed(ctx context.Context, h store.Hold, decision *store.HoldDecision) (drafts []store.Draft, err error) {
	if decision == nil || !decision.Allowed {
		return nil, nil
	}
	for _, id := range h.Drafts() {
		d, err := q.drafts.Draft(ctx, id)
		switch {
		case err == nil:
			drafts = append(drafts, d)
		case !errors.Is(err, store.ErrNoDraft):
			return nil, err
		}
	}
	return drafts, nil
}

// post posts the question, unless an earlier delivery did.
func (q *hold) post(ctx context.Context, d *queue.Delivery, h store.Hold, m kit.Message) (string, error) {
	p, err := q.once.message(d, h.Channel, "", func(m slack.Message) bool { return place.HoldOf(m) == h.ID() })
	if err != nil {
		return "", err
	}
	if ts, err := p.out(ctx); ts != "" || err != nil {
		return ts, err
	}
	return p.post(ctx, m)
}
