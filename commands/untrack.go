package commands

import (
	"context"
	"errors"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/commands/answer"
	"darkroom/commands/resolve"
	"darkroom/store"
)

var untrackHelp = cards.HelpRow{
	Verb: "untrack", Usage: "untrack ID", Does: "stops tracking an order in this channel",
	Example: "untrack K7Q2XM", Operators: true,
}

// untrack ends a channel's tracking of an order. It asks which order is meant even if only one fits, so that nobody
// stops tracking by accident.
func (c *tracking) untrack(ctx context.Context, r bot.Request) error {
	if err := c.guard.OperatorsOnly(ctx, r, "stop a channel from tracking an order"); err != nil {
		return err
	}
	first, _ := resolve.FirstWord(r.Args)
	p, err := c.finder.OrderByName(ctx, r, "untrack")
	if err != nil {
		return err
	}
	if p.ID == "" || r.Kind == bot.KindCommand && first == "" {
		return c.finder.AskWhich(ctx, r, "untrack", p)
	}
	t, err := c.finder.Visible(ctx, r, resolve.Ref{ID: p.ID})
	if err != nil {
		return err
	}
	_, err = c.store.Changes.Untrack(ctx, t.ID, r.User)
	if errors.Is(err, store.ErrNotTracked) { // somebody has just untracked it
		return answer.Refusal{Message: kit.Say(cards.NotFound(p.ID))}
	}
	if err != nil {
		return err
	}
	c.jobs.Home.Changed(ctx, r.Team, r.User)
	return c.answers.Send(ctx, r, cards.NowUntracked(t))
}
