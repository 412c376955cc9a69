package commands

import (
	"context"
	"errors"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/jobs"
	"darkroom/order"
	"darkroom/store"
)

// refusal is an error that a person is told as it is: in a message, or in the window that opened.
type refusal struct {
	message         cards.Message
	sentence, words string // what the window says, with what was typed; "" where none opens
}

// Error is what is said.
func (r refusal) Error() string { return r.message.Text }

// sorry is a sentence; the words that were typed are given back.
func sorry(sentence, words string) error {
	return refusal{cards.SayWith(sentence, words), sentence, words}
}

// visible is the order that is meant. Whether one that is shown to nobody exists, or is hidden
// from this person, nothing tells.
func (c *Commands) visible(ctx context.Context, r bot.Request, p orderRef) (store.Tracked, error) {
	t, err := c.jobs.Finder.Visible(ctx, r, p.id)
	switch {
	case errors.Is(err, jobs.ErrElsewhere):
		return t, sorry(cards.Elsewhere, bot.AsTyped(p.words))
	case errors.Is(err, jobs.ErrNotFound):
		return t, sorry(cards.NotFound(p.id), bot.AsTyped(p.words))
	}
	return t, err
}

// cannotPost refuses what somebody may not do in a channel; nil when nothing is against it. It
// takes err along, with which nobody knows.
func cannotPost(channel string, why order.Denial, words string, err error) error {
	if err != nil || why == "" {
		return err
	}
	return sorry(cards.CannotPost(channel, why), words)
}

// operatorsOnly refuses what concerns the whole account to everybody but operators.
func (c *Commands) operatorsOnly(ctx context.Context, r bot.Request, what string) error {
	return c.onlyOperators(ctx, r, cards.OperatorsOnly(what))
}

// adminsOnly is the same for the account and the data of a workspace whose admins connect it.
func (c *Commands) adminsOnly(ctx context.Context, r bot.Request) error {
	return c.onlyOperators(ctx, r, cards.AdminsOnly())
}

// onlyOperators says no to everybody else.
func (c *Commands) onlyOperators(ctx context.Context, r bot.Request, no cards.Message) error {
	why, err := c.access.WhyNoMemberNow(ctx, r.User)
	if err := cannotPost(originChannel(r), why, "", err); err != nil {
		return err
	}
	operator, err := c.access.IsOperator(ctx, r)
	if err == nil && !operator {
		err = refusal{message: no}
	}
	return err
}
