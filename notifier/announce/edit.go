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

// edits edits messages, and puts off the edits that Slack limits or does not answer.
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

// sameLimit is for how long the edits of one order that meet Slack's limit end as one job.
const sameLimit = 10 * time.Second

// limited leaves the edits of this order to a job of their own, for when Slack's limit on
// edits is over. The limit is the workspace's, for edits alone: replies go out meanwhile,
// and the lane goes on to the channel's other orders.
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
	mostSlow  = 6                // edits that one job tries in vain: half a minute
	slowAgain = 10 * time.Minute // until they are tried once more
)

// slowCard and slowReplies count unanswered edits of the card and of replies apart.
func slowCard(m *jobState) *int { return &m.SlowCard }

func slowReplies(m *jobState) *int { return &m.SlowReplies }

// unanswered counts the edits that Slack did not answer while it answers other calls. In the end the message stays as
// it was for a while, so that the channel goes on. Its old buttons, pressed, say what is possible now.
func (ed *edits) unanswered(ctx context.Context, a *announcement, err error, of func(*jobState) *int) error {
	_, told := client.RetryAfter(err)
	if told || !errors.Is(err, client.ErrTryLater) || ed.slackAway(ctx) {
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

// slackAway says that Slack answers nothing now: the edit is not at fault.
func (ed *edits) slackAway(ctx context.Context) bool {
	return errors.Is(ed.slack.Answers(ctx), client.ErrTryLater)
}
