package answer

import (
	"context"

	"darkroom/access"
	"darkroom/bot"
	"darkroom/cards"
	"darkroom/cards/kit"
)

// Guard refuses what only operators may do.
type Guard struct {
	access *access.Control
}

// NewGuard makes the handler from what it uses.
func NewGuard(access *access.Control) *Guard {
	return &Guard{access: access}
}

// OperatorsOnly refuses what concerns the whole account to everybody but operators.
func (c *Guard) OperatorsOnly(ctx context.Context, r bot.Request, what string) error {
	return c.onlyOperators(ctx, r, cards.OperatorsOnly(what))
}

// AdminsOnly is the same for the account and the data of a workspace whose admins connect it.
func (c *Guard) AdminsOnly(ctx context.Context, r bot.Request) error {
	return c.onlyOperators(ctx, r, cards.AdminsOnly())
}

// onlyOperators says no to everybody else.
func (c *Guard) onlyOperators(ctx context.Context, r bot.Request, no kit.Message) error {
	why, err := c.access.WhyNoMemberNow(ctx, r.User)
	if err := CannotPost(OriginChannel(r), why, "", err); err != nil {
		return err
	}
	operator, err := c.access.IsOperator(ctx, r)
	if err == nil && !operator {
		err = Refusal{Message: no}
	}
	return err
}
