package announce

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot/client"
	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/store"
)

type cardSlack interface {
	identifier
	Root(ctx context.Context, channel, thread string) (slack.Message, error)
}

// cardStage posts an order's card, and keeps it current.
type cardStage struct {
	slack         cardSlack
	announcements announcements
	sender        *sender
	edits         *edits
	later         later
	outcomeAfter  time.Duration
	log           *slog.Logger
}

// shownLife is how long a card is taken to be there still: each reply waits for its turn in
// the queue, and would else cost an edit, of which Slack allows fifty a minute.
const shownLife = 20 * time.Second

// justShown says that this job has made the card what it should be a moment ago.
func (a *announcement) justShown() bool {
	s := a.state.Shown
	return a.cardCurrent() && !a.refresh && s.TS == a.tracked.CardTS && a.job.Now().Sub(s.At) < shownLife
}

// exec comes before any reply, even when the card is current: a reply to
// a card that was deleted would land in the channel.
func (c *cardStage) exec(ctx context.Context, a *announcement) error {
	if len(a.events) > 0 || a.tracked.CardTS == "" {
		if err := c.sender.slot(ctx, a); err != nil {
			return err
		}
	}
	if a.justShown() {
		return nil
	}
	return c.show(ctx, a)
}

// show edits the card, or posts it if it is gone.
func (c *cardStage) show(ctx context.Context, a *announcement) error {
	forms := formsOf(c.message(ctx, a))
	ts, version := a.tracked.CardTS, a.tracked.Version // 0: plainer than it should be, and to be edited
	err := client.ErrGone
	if ts != "" {
		err = c.edits.edit(ctx, a, ts, forms)
		if err := c.showAfterUnanswered(ctx, a, err); err != nil {
			return err
		}
		err = c.edits.unanswered(ctx, a, err, slowCard)
	}
	after, limited := client.RetryAfter(err)
	if limited {
		err = c.exists(ctx, a, ts)
	}
	switch {
	case limited && err == nil:
		return c.edits.limited(ctx, a, after)
	case errors.Is(err, client.ErrGone):
		if a.state.unansweredOf(cardMark) >= patience {
			version = 0
		}
		ts, err = c.sender.post(ctx, a, cardMark, client.Post{}, forms)
	case errors.Is(err, client.ErrNotEditable): // a new card for every change would be worse
		c.log.WarnContext(ctx, "card left as it is", "order", a.id, "err", err)
		err = nil
	}
	if err != nil {
		return fmt.Errorf("card: %w", err)
	}
	a.tracked.CardTS, a.refresh, a.state.Refresh = ts, false, false
	a.state.Shown, a.unsaved = shown{TS: ts, At: a.job.Now()}, true
	if err := c.showLater(ctx, a); err != nil {
		return err
	}
	return c.announcements.CardPosted(ctx, a.id, a.generation, ts, version)
}

// exists says whether the card does: nil, or [client.ErrGone]. A deleted one that has replies
// leaves a tombstone. Where it would have to wait for its turn to read, it is taken to be there: the edit, which
// comes later, posts it anew if it is not.
func (c *cardStage) exists(ctx context.Context, a *announcement, ts string) error {
	card, err := c.slack.Root(ctx, a.tracked.Owner.Channel, ts)
	switch {
	case errors.Is(err, client.ErrReadTurn):
		return nil
	case err == nil && card.SubType == "tombstone":
		return client.ErrGone
	}
	return err
}

// message is the card as it is now.
func (c *cardStage) message(ctx context.Context, a *announcement) kit.Message {
	if a.tracked.Untracked {
		return cards.FormerChannelCard(a.tracked)
	}
	return cards.Card(a.tracked, linksTo(ctx, c.slack, c.log), time.Now())
}

// showAfterUnanswered puts another edit of the card behind one that Slack did not answer: it may be
// carried out late, after a newer one, and would leave the card as it was. One is enough
// for each version: an edit that Slack never answers is not tried for ever.
func (c *cardStage) showAfterUnanswered(ctx context.Context, a *announcement, edited error) error {
	if _, told := client.RetryAfter(edited); told || !errors.Is(edited, client.ErrTryLater) {
		return nil
	}
	id := fmt.Sprintf("announce:%s:g%d:unanswered:v%d", a.id, a.generation, a.tracked.Version)
	return c.later.again(ctx, a, id, store.AnnounceJob{Refresh: true}, c.outcomeAfter)
}

// showAfterInterrupted does the same for an edit that an interrupted worker may have sent: nobody waited for
// Slack's answer to it.
func (c *cardStage) showAfterInterrupted(ctx context.Context, a *announcement) error {
	if !a.job.Interrupted {
		return nil
	}
	id := fmt.Sprintf("%s:interrupted:%d", a.job.ID, a.job.Deliveries)
	return c.later.again(ctx, a, id, store.AnnounceJob{Refresh: true}, c.outcomeAfter)
}

// showLater puts the jobs that take off the card what will be over: *Cancel order*, and a change that waits for
// the service.
func (c *cardStage) showLater(ctx context.Context, a *announcement) error {
	if until, ok := cards.CancelUntil(a.tracked, time.Now()); ok {
		if err := c.showAt(ctx, a, fmt.Sprintf("cancel-over:%d", until.Unix()), until); err != nil {
			return err
		}
	}
	if len(a.tracked.Waiting(time.Now())) == 0 {
		return nil
	}
	until := a.tracked.WaitsUntil
	return c.showAt(ctx, a, fmt.Sprintf("waits-over:%d", until.UnixMilli()), until)
}

// showAt puts such a job. A job that comes too early, by this replica's clock, puts another under a name of its own.
func (c *cardStage) showAt(ctx context.Context, a *announcement, name string, at time.Time) error {
	id := fmt.Sprintf("announce:%s:g%d:%s", a.id, a.generation, name)
	if a.job.ID == id {
		id += ":again"
	}
	return c.later.again(ctx, a, id, store.AnnounceJob{Refresh: true}, time.Until(at)+time.Second)
}
