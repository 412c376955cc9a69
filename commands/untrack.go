package commands

import (
	"context"
	"errors"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/store"
)

var untrackHelp = cards.HelpRow{
	Verb: "untrack", Usage: "untrack ID", Does: "stops following an order here",
	Example: "untrack K7Q2XM", Operators: true,
}

// untrack ends a channel's ownership of an order. An order that was left out is always
// asked for, even when only one fits: nobody stops following by accident.
func (c *Commands) untrack(ctx context.Context, r bot.Request) error {
	if err := c.operatorsOnly(ctx, r, "stop a channel from following an order"); err != nil {
		return err
	}
	first, _ := firstWord(r.Args)
	p, err := c.resolveName(ctx, r, "untrack")
	if err != nil {
		return err
	}
	if p.id == "" || r.Kind == bot.KindCommand && first == "" {
		return c.askWhich(ctx, r, "untrack", p)
	}
	t, err := c.visible(ctx, r, orderRef{id: p.id})
	if err != nil {
		return err
	}
	_, err = c.store.Untrack(ctx, t.ID, r.User)
	if errors.Is(err, store.ErrNotTracked) { // by somebody else, at this very moment
		return refusal{message: cards.Say(cards.NotFound(p.id))}
	}
	if err != nil {
		return err
	}
	c.jobs.Home.Changed(ctx, r.Team, r.User)
	return c.tell(ctx, r, cards.Unfollowed(t))
}
