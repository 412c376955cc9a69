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

// reminders puts off the reminders of a review.
type reminders struct {
	reminders *store.Reminders
	settings  *store.ChannelSettings
	access    *access.Control
	finder    *resolve.Finder
	answers   *answer.Messages
}

// snoozeHours is for how long the smaller of the two buttons puts a reminder off.
const snoozeHours = 4 * time.Hour

// snooze puts the next reminder of an order off.
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
		return answer.Sorry(cards.NotFound(id), "")
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
		return answer.Sorry(cards.ReminderOver, "")
	}
	if err != nil {
		return err
	}
	return c.answers.Send(ctx, r, cards.Snoozed(t, until))
}

// snoozedUntil is when the next reminder may come: tomorrow morning by the channel's clock, or in four hours; not in quiet hours.
func snoozedUntil(action string, settings store.Settings, now time.Time) time.Time {
	until := now.Add(snoozeHours)
	if strings.TrimPrefix(action, cards.ActionSnooze) != cards.SnoozeHours {
		until = order.Morning.Tomorrow(now, settings.Clock())
	}
	return settings.Wait(until)
}
