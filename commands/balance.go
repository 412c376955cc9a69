package commands

import (
	"context"

	"darkroom/bot"
	"darkroom/cards"
)

var balanceHelp = cards.HelpRow{
	Verb: "balance", Usage: "balance", Does: "shows the credits left on the account", Example: "balance",
}

// balance tells the credits of the account.
func (c *Commands) balance(ctx context.Context, r bot.Request) error {
	credits, err := c.service.Balance(ctx)
	if err != nil {
		return err
	}
	return c.tell(ctx, r, cards.Balance(credits))
}
