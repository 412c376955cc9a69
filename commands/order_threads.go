package commands

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"time"

	"darkroom/bot"
	"darkroom/jobs"
	"darkroom/jobs/answers"
	"darkroom/store"
)

// shortcutPatience is the time that a shortcut waits for Slack to return a thread's first message. A form must open
// within three seconds, and there the person can choose the order.
const shortcutPatience = time.Second

// orderThreads finds the order of a message's thread.
type orderThreads struct {
	slack  answers.Slack
	orders *store.Orders
	jobs   *jobs.Jobs
	log    *slog.Logger
}

// messageThread returns the order whose thread or card the message is in, or [store.ErrNotTracked].
func (c *orderThreads) messageThread(ctx context.Context, r bot.Request) (store.Tracked, error) {
	thread := cmp.Or(r.Thread, r.MessageTS)
	for _, ts := range []string{thread, r.MessageTS} { // the card of a batch's order is in the thread of the batch's card
		t, err := c.orders.ByThread(ctx, r.Team, r.Channel, ts)
		if !errors.Is(err, store.ErrNotTracked) || thread == "" {
			return t, err
		}
	}
	if ask, err := c.mayBeOurs(ctx, r, thread); err != nil || !ask {
		return store.Tracked{}, errors.Join(err, store.ErrNotTracked)
	}
	quick, cancel := context.WithTimeout(ctx, shortcutPatience)
	defer cancel()
	found, bond, err := c.jobs.Threads.ReadThread(quick, answers.AskerOf(r), r.Channel, thread)
	if err == nil && bond == jobs.Present {
		return found, nil
	}
	if err != nil {
		c.log.InfoContext(ctx, "thread not read", "channel", r.Channel, "thread", thread, "err", err)
	}
	return store.Tracked{}, store.ErrNotTracked
}

// mayBeOurs reports whether the app may have begun the thread, so that asking Slack is worthwhile.
func (c *orderThreads) mayBeOurs(ctx context.Context, r bot.Request, thread string) (bool, error) {
	if r.Message == nil {
		return false, nil
	}
	if thread == r.MessageTS {
		return c.jobs.Threads.IsOurs(ctx, r.Message)
	}
	me, err := c.slack.Identity(ctx)
	if err != nil {
		return false, err
	}
	if parent := r.Message.ParentUserId; parent != "" && parent != me.BotUser {
		return false, nil
	}
	known, err := c.jobs.Threads.IsForeign(ctx, r.Team, r.Channel, thread)
	return !known, err
}
