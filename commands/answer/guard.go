package answer

import (
	"context"

	"darkroom/access"
	"darkroom/bot"
	"darkroom/cards"
	"darkroom/cards/kit"
)

// Guard refuses requests that only operators may make.
type Guard struct {
	access *access.Control
}

// NewGuard returns a guard.
func NewGuard(access *access.Control) *Guard {
	return &Guard{access: access}
}

// OperatorsOnly returns a [Refusal] for people who are not operators. what completes the sentence "only operators can".
func (c *Guard) OperatorsOnly(ctx context.Context, r bot.Request, what string) error {
	return c.onlyOperators(ctx, r, cards.OperatorsOnly(what))
}

// AdminsOnly returns a [Refusal] for people who do not administer the workspace's account.
func (c *Guard) AdminsOnly(ctx context.Context, r bot.Request) error {
	return c.onlyOperators(ctx, r, cards.AdminsOnly())
}

// onlyOperators refuses with no.
func (c *Guard) onlyOperators(ctx context.Context, r bot.Request, refusal kit.Message) error {
	why, err := c.access.WhyNoMemberNow(ctx, r.User)
	if err := CannotPost(OriginChannel(r), why, "", err); err != nil {
		return err
	}
	operator, err := c.access.IsOperator(ctx, r)
	if err == nil && !operator {
		err = Refusal{Message: refusal}
	}
	return err
}
