package commands

import (
	"context"
	"errors"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/jobs"
	"darkroom/store"
)

var untrackHelp = cards.HelpRow{
	Verb: "untrack", Usage: "untrack ID", Does: "stops following an order here",
	Example: "untrack K7Q2XM", Operators: true,
}

// untrack ends a channel's ownership of an order. An order that was left out is always
// asked for, even when only one fits: nobody stops following by accident.
func (c *Commands) untrack(ctx context.Context, r bot.Request) error {
	denied, operator, err := c.operatorsOnly(ctx, r, "stop a channel from following an order")
	if err != nil {
		return err
	}
	if !operator {
		return c.jobs.Tell(ctx, r, denied)
	}
	first, _ := firstWord(r.Args)
	p, err := c.pointName(ctx, r, "untrack")
	if err != nil {
		return err
	}
	if p.id == "" || r.Kind == bot.KindCommand && first == "" {
		return c.askWhich(ctx, r, "untrack", p)
	}
	t, err := c.jobs.Visible(ctx, r, p.id)
	if err == nil {
		err = c.unfollow(ctx, r, t)
	}
	if errors.Is(err, jobs.ErrNotFound) || errors.Is(err, store.ErrNotTracked) {
		return c.jobs.Tell(ctx, r, cards.NotFoundWith(p.id, ""))
	}
	return err
}

func (c *Commands) unfollow(ctx context.Context, r bot.Request, t store.Tracked) error {
	if _, err := c.store.Untrack(ctx, t.ID, r.User); err != nil {
		return err
	}
	c.jobs.HomeChanged(ctx, r.Team, r.User)
	return c.jobs.Tell(ctx, r, cards.Unfollowed(t))
}
