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

// cardStage posts an order's card and keeps it current.
type cardStage struct {
	slack         cardSlack
	announcements announcements
	settings      *store.ChannelSettings
	sender        *sender
	edits         *edits
	later         later
	people        *people
	outcomeAfter  time.Duration
	log           *slog.Logger
}

// shownLife is how long a card counts as existing after an edit. Each reply waits for its slot in the
// queue and would otherwise cost one more edit; Slack allows fifty a minute.
const shownLife = 20 * time.Second

// justShown reports whether this job has just made the card current.
func (a *announcement) justShown() bool {
	s := a.state.Shown
	return a.cardCurrent() && !a.refresh && s.TS == a.tracked.CardTS && a.job.Now().Sub(s.At) < shownLife
}

// exec runs before any reply, even if the card is current: a reply to a deleted card would appear in the
// channel.
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
	card, err := c.message(ctx, a)
	if err != nil {
		return fmt.Errorf("card: %w", err)
	}
	forms := formsOf(card)
	ts, version := a.tracked.CardTS, a.tracked.Version // version 0: a plain card that needs an edit
	err = client.ErrGone
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
		if a.state.unansweredOf(cardMark) >= triesPerForm {
			version = 0
		}
		ts, err = c.sender.post(ctx, a, cardMark, client.Post{Thread: a.tracked.Root}, forms)
	case errors.Is(err, client.ErrNotEditable): // better than a new card for every change
		c.log.WarnContext(ctx, "card left as it is", "order", a.id, "err", err)
		err = nil
	}
	if err != nil {
		return fmt.Errorf("card: %w", err)
	}
	a.tracked.CardTS, a.refresh, a.state.Refresh = ts, false, false
	a.state.Shown, a.unsaved = cardSeen{TS: ts, At: a.job.Now()}, true
	if err := c.showLater(ctx, a); err != nil {
		return err
	}
	return c.announcements.CardPosted(ctx, a.id, a.generation, ts, version)
}

// exists returns nil if the card exists, or [client.ErrGone]. A deleted card with replies leaves a
// tombstone. If reading must wait for its slot, the card counts as existing: the later edit posts a new
// one if it is gone.
func (c *cardStage) exists(ctx context.Context, a *announcement, ts string) error {
	card, err := c.slack.Root(ctx, a.tracked.Owner.Channel, ts)
	switch {
	case errors.Is(err, client.ErrNoReadSlot):
		return nil
	case err == nil && card.SubType == "tombstone":
		return client.ErrGone
	}
	return err
}

// message draws the card.
func (c *cardStage) message(ctx context.Context, a *announcement) (kit.Message, error) {
	if a.tracked.Untracked {
		return cards.FormerChannelCard(a.tracked), nil
	}
	settings, err := c.settings.Of(ctx, a.tracked.Owner.Team, a.tracked.Owner.Channel)
	if err != nil {
		return kit.Message{}, err
	}
	t := c.people.named(ctx, a.tracked)
	t.Relayed = settings.Relay == store.RelayReplies
	return cards.Card(t, linksTo(ctx, c.slack, c.log), time.Now()), nil
}

// showAfterUnanswered schedules another edit after one that Slack did not answer. Slack may execute that
// one late, after a newer edit, and so restore an old card. There is one such edit for each version, so
// that this does not go on forever.
func (c *cardStage) showAfterUnanswered(ctx context.Context, a *announcement, edited error) error {
	if _, limited := client.RetryAfter(edited); limited || !errors.Is(edited, client.ErrTryLater) {
		return nil
	}
	id := fmt.Sprintf("announce:%s:g%d:unanswered:v%d", a.id, a.generation, a.tracked.Version)
	return c.later.again(ctx, a, id, store.AnnounceJob{Refresh: true}, c.outcomeAfter)
}

// showAfterInterrupted does the same after an interrupted delivery, whose edit may have been sent without
// waiting for the answer.
func (c *cardStage) showAfterInterrupted(ctx context.Context, a *announcement) error {
	if !a.job.Interrupted {
		return nil
	}
	id := fmt.Sprintf("%s:interrupted:%d", a.job.ID, a.job.Deliveries)
	return c.later.again(ctx, a, id, store.AnnounceJob{Refresh: true}, c.outcomeAfter)
}

// showLater schedules edits for when parts of the card expire: *Cancel Order*, and a change that waits for
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

// showAt schedules such an edit. If this job is itself that edit and came too early by this replica's
// clock, the new one gets another id.
func (c *cardStage) showAt(ctx context.Context, a *announcement, name string, at time.Time) error {
	id := fmt.Sprintf("announce:%s:g%d:%s", a.id, a.generation, name)
	if a.job.ID == id {
		id += ":again"
	}
	return c.later.again(ctx, a, id, store.AnnounceJob{Refresh: true}, time.Until(at)+time.Second)
}
