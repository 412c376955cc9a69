package commands

import (
	"context"

	"darkroom/bot"
	"darkroom/cards"
)

var balanceHelp = cards.HelpRow{
	Verb: "balance", Usage: "balance", Does: "shows the credits left on the account", Example: "balance",
}

// balance tells the credits of the account to those who may read them.
func (c *Commands) balance(ctx context.Context, r bot.Request) error {
	why, err := c.access.WhyNoMember(ctx, r.User)
	if err != nil {
		return err
	}
	if why != "" {
		return refusal{message: cards.BalanceDenied(originChannel(r), why)}
	}
	reads, err := c.access.ReadsCredits(ctx, r)
	if err != nil {
		return err
	}
	if !reads {
		return c.tell(ctx, r, cards.OperatorsOnly("read the account's credits"))
	}
	credits, err := c.service.Balance(ctx)
	if err != nil {
		return err
	}
	return c.tell(ctx, r, cards.Balance(credits))
}
