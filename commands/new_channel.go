package commands

import (
	"context"
	"errors"

	"darkroom/bot"
	"darkroom/cards"
)

// whyNotPost says why an order of that person could not be shown in a channel, or "": no
// credit is spent on an order that nobody would see. It checks the person first.
func (c *Commands) whyNotPost(ctx context.Context, user, id string) (cards.Why, error) {
	switch only, err := c.whyNotAct(ctx, user); {
	case err != nil:
		return whyNot(err)
	case only != "":
		return only, nil
	}
	channel, err := c.slack.Channel(ctx, id)
	switch {
	case err != nil:
		return whyNot(err)
	case channel.IsMpIM || channel.IsIM:
		return cards.NoRoom, nil
	case channel.IsArchived:
		return cards.Archived, nil
	case channel.IsPrivate && !channel.IsMember:
		return cards.NotInChannel, nil
	}
	member, err := c.slack.IsMemberNow(ctx, id, user)
	switch {
	case err != nil:
		return whyNot(err)
	case !member:
		return cards.NotMember, nil
	case channel.IsMember:
		return "", nil
	}
	return whyNot(c.slack.Join(ctx, id))
}

// whyNot turns Slack's refusal into a reason; what may pass by itself stays an error.
func whyNot(err error) (cards.Why, error) {
	switch {
	case errors.Is(err, bot.ErrNoChannel), errors.Is(err, bot.ErrNotInChannel), errors.Is(err, bot.ErrNotAllowed):
		return cards.NotInChannel, nil
	case errors.Is(err, bot.ErrArchived):
		return cards.Archived, nil
	case errors.Is(err, bot.ErrMissingScope):
		return cards.MissingScope, nil
	case errors.Is(err, bot.ErrToken):
		return cards.TokenRevoked, nil
	case err == nil || outage(err):
		return "", err
	}
	return cards.Refused, nil
}
