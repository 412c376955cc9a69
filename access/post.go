package access

import (
	"context"
	"errors"

	"darkroom/bot/client"
	"darkroom/order"
	"darkroom/store/queue"
)

// WhyNotPost says why an order that this person places could not be shown in the channel with
// this id, or "" when it can: no credit is spent on an order that nobody would see. The person
// must be a full member of ours, and in the channel. A public channel that the app is not in it
// joins, once everything else allows the order.
//
// Other than elsewhere in this package, a token or a scope that Slack refuses is a reason, not an
// error: the person is told at once rather than kept waiting for an operator.
func (a *Control) WhyNotPost(ctx context.Context, user, id string) (order.Denial, error) {
	switch only, err := a.WhyNoMemberNow(ctx, user); {
	case err != nil:
		return refusal(err)
	case only != "":
		return only, nil
	}
	channel, err := a.cfg.Slack.Channel(ctx, id)
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
	member, err := a.cfg.Slack.IsMemberNow(ctx, id, user)
	switch {
	case err != nil:
		return refusal(err)
	case !member:
		return order.DeniedNotMember, nil
	case channel.IsMember:
		return "", nil
	}
	return refusal(a.cfg.Slack.Join(ctx, id))
}

// refusal turns Slack's refusal into a reason; what passes by itself stays an error.
func refusal(err error) (order.Denial, error) {
	switch {
	case errors.Is(err, client.ErrNoChannel), errors.Is(err, client.ErrNotInChannel), errors.Is(err, client.ErrNotAllowed):
		return order.DeniedNotInChannel, nil
	case errors.Is(err, client.ErrArchived):
		return order.DeniedArchived, nil
	case errors.Is(err, client.ErrMissingScope):
		return order.DeniedMissingScope, nil
	case errors.Is(err, client.ErrToken):
		return order.DeniedTokenRevoked, nil
	case err == nil || client.Outage(err) || queue.Away(err):
		return "", err
	}
	return order.DeniedByChannel, nil
}
