package access

import (
	"context"
	"errors"

	"darkroom/bot"
	"darkroom/order"
	"darkroom/store/queue"
)

// WhyNotPost says why an order of that person could not be shown in a channel, or "": no
// credit is spent on an order that nobody would see. It checks the person first.
func (a *Control) WhyNotPost(ctx context.Context, user, id string) (order.Denial, error) {
	switch only, err := a.WhyNoMemberNow(ctx, user); {
	case err != nil:
		return refusal(err)
	case only != "":
		return only, nil
	}
	channel, err := a.slack.Channel(ctx, id)
	switch {
	case err != nil:
		return refusal(err)
	case channel.IsMpIM || channel.IsIM:
		return order.DeniedNoRoom, nil
	case channel.IsArchived:
		return order.DeniedArchived, nil
	case channel.IsPrivate && !channel.IsMember:
		return order.DeniedNotInChannel, nil
	}
	member, err := a.slack.IsMemberNow(ctx, id, user)
	switch {
	case err != nil:
		return refusal(err)
	case !member:
		return order.DeniedNotMember, nil
	case channel.IsMember:
		return "", nil
	}
	return refusal(a.slack.Join(ctx, id))
}

// refusal turns Slack's refusal into a reason; what may pass by itself stays an error.
func refusal(err error) (order.Denial, error) {
	switch {
	case errors.Is(err, bot.ErrNoChannel), errors.Is(err, bot.ErrNotInChannel), errors.Is(err, bot.ErrNotAllowed):
		return order.DeniedNotInChannel, nil
	case errors.Is(err, bot.ErrArchived):
		return order.DeniedArchived, nil
	case errors.Is(err, bot.ErrMissingScope):
		return order.DeniedMissingScope, nil
	case errors.Is(err, bot.ErrToken):
		return order.DeniedTokenRevoked, nil
	case err == nil || bot.Outage(err) || queue.Away(err):
		return "", err
	}
	return order.DeniedByChannel, nil
}
