package commands

import (
	"context"

	"darkroom/bot"
	"darkroom/cards"
)

// operatorsOnly is the answer to somebody who may not do what concerns the whole account; ok
// when they may.
func (c *Commands) operatorsOnly(ctx context.Context, r bot.Request, what string) (denied cards.Message, ok bool, err error) {
	why, err := c.access.WhyNoMemberNow(ctx, r.User)
	if err != nil {
		return cards.Message{}, false, err
	}
	if why != "" {
		return cards.Say(cards.CannotPost(standing(r), why)), false, nil
	}
	ok, err = c.access.IsOperator(ctx, r)
	return cards.OperatorsOnly(what), ok, err
}
