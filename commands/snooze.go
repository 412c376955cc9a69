package commands

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"darkroom/access"
	"darkroom/bot"
	"darkroom/cards"
	"darkroom/commands/answer"
	"darkroom/commands/resolve"
	"darkroom/order"
	"darkroom/store"
)

// reminders postpones the reminders of a review.
type reminders struct {
	reminders *store.Reminders
	settings  *store.ChannelSettings
	access    *access.Control
	finder    *resolve.Finder
	answers   *answer.Messages
}

// snoozeHours is the delay of the shorter snooze button.
const snoozeHours = 4 * time.Hour

// snooze postpones an order's next reminder.
func (c *reminders) snooze(ctx context.Context, r bot.Request) error {
	id, reminder, ok := cards.ParseAsk(r.Value)
	if !ok {
		return fmt.Errorf("no reminder is called %q", r.Value)
	}
	t, err := c.finder.Visible(ctx, r, resolve.Ref{ID: id})
	if err != nil {
		return err
	}
	permit, err := c.access.Authorize(ctx, r, t)
	if err != nil {
		return err
	}
	if !permit.Sees {
		return answer.Refuse(cards.NotFound(id), "")
	}
	if err := answer.CannotPost(t.Owner.Channel, permit.Denial, "", nil); err != nil {
		return err
	}
	settings, err := c.settings.Of(ctx, t.Owner.Team, t.Owner.Channel)
	if err != nil {
		return err
	}
	until := snoozedUntil(r.Name, settings, time.Now())
	err = c.reminders.Snooze(ctx, t.ID, reminder, r.User, until)
	if errors.Is(err, store.ErrSettled) {
		return answer.Refuse(cards.ReminderOver, "")
	}
	if err != nil {
		return err
	}
	return c.answers.Send(ctx, r, cards.Snoozed(t, until))
}

// snoozedUntil returns when the next reminder may come: tomorrow morning on the channel's clock, or in four hours, and
// after quiet hours.
func snoozedUntil(action string, settings store.Settings, now time.Time) time.Time {
	until := now.Add(snoozeHours)
	if strings.TrimPrefix(action, cards.ActionSnooze) != cards.SnoozeHours {
		until = order.Morning.Tomorrow(now, settings.Clock())
	}
	return settings.Wait(until)
}
