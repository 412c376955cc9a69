package announce

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"darkroom/bot/client"
	"darkroom/store"
	"darkroom/store/queue"
)

type editingSlack interface {
	Edit(ctx context.Context, ts string, p client.Post) error
	Answers(ctx context.Context) error
}

// edits edits messages, and postpones edits that Slack limits or does not answer.
type edits struct {
	slack editingSlack
	later later
	log   *slog.Logger
}

func (ed *edits) edit(ctx context.Context, a *announcement, ts string, forms []form) error {
	return offer(ctx, ed.log, a, client.Post{}, forms, func(p client.Post) error {
		return ed.slack.Edit(ctx, ts, p)
	})
}

// sameLimit is the time within which limited edits of one order become one job.
const sameLimit = 10 * time.Second

// limited moves this order's edits to another job, for when Slack's limit on edits is over. The limit is
// the workspace's and concerns edits only. So replies go out meanwhile, and the lane continues with other
// orders.
func (ed *edits) limited(ctx context.Context, a *announcement, after time.Duration) error {
	due := time.Now().Add(after)
	id := fmt.Sprintf("announce:%s:g%d:limit:v%d:%d", a.id, a.generation, a.tracked.Version, due.Unix()/int64(sameLimit/time.Second))
	if a.job.ID == id {
		return queue.Wait(after)
	}
	ed.log.InfoContext(ctx, "slack limits edits", "order", a.id, "after", after)
	if err := ed.later.again(ctx, a, id, store.AnnounceJob{Refresh: a.refresh}, after); err != nil {
		return err
	}
	a.limited, a.refresh, a.state.Refresh = a.tracked.Version, false, false
	return nil
}

const (
	mostSlow  = 6                // failed edits of one job: half a minute
	slowAgain = 10 * time.Minute // until the next try
)

// slowCard and slowReplies select the count of unanswered edits of the card and of replies.
func slowCard(m *jobState) *int { return &m.SlowCard }

func slowReplies(m *jobState) *int { return &m.SlowReplies }

// unanswered counts edits that Slack does not answer while it answers other calls. After mostSlow of them
// the message stays as it is for a while, so that the channel's lane goes on. Its old buttons still answer
// with what is possible.
func (ed *edits) unanswered(ctx context.Context, a *announcement, err error, of func(*jobState) *int) error {
	_, limited := client.RetryAfter(err)
	if limited || !errors.Is(err, client.ErrTryLater) || ed.slackAway(ctx) {
		return err
	}
	m := a.state
	*of(&m)++
	if *of(&m) > mostSlow {
		ed.log.ErrorContext(ctx, "message left as it was", "order", a.id, "err", err)
		id := fmt.Sprintf("announce:%s:g%d:slow:v%d:a%d", a.id, a.generation, a.tracked.Version, a.tracked.Announced)
		return ed.later.again(ctx, a, id, store.AnnounceJob{Refresh: true}, slowAgain)
	}
	return errors.Join(err, a.save(ctx, m))
}

// slackAway reports whether Slack answers no calls at all.
func (ed *edits) slackAway(ctx context.Context) bool {
	return errors.Is(ed.slack.Answers(ctx), client.ErrTryLater)
}
