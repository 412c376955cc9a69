package account

import (
	"context"

	"github.com/shopspring/decimal"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/commands/answer"
)

// BalanceHelp is the help on `balance`.
var BalanceHelp = cards.HelpRow{
	Verb: "balance", Usage: "balance", Does: "shows the credits left on the account", Example: "balance",
}

// balanceService reads the account's credits.
type balanceService interface {
	Balance(ctx context.Context) (decimal.Decimal, error)
}

// Balance shows the account's credits to people who may read them.
func (c *Handler) Balance(ctx context.Context, r bot.Request) error {
	why, err := c.access.WhyNoMember(ctx, r.User)
	if err != nil {
		return err
	}
	if why != "" {
		return answer.Refusal{Message: cards.BalanceDenied(answer.OriginChannel(r), why)}
	}
	reads, err := c.access.ReadsCredits(ctx, r)
	if err != nil {
		return err
	}
	if !reads {
		return c.answers.Send(ctx, r, cards.OperatorsOnly("read the account's credits"))
	}
	credits, err := c.service.Balance(ctx)
	if err != nil {
		return err
	}
	return c.answers.Send(ctx, r, cards.Balance(credits))
}
