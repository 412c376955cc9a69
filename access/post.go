package access

import (
	"context"
	"errors"

	"darkroom/bot/client"
	"darkroom/order"
	"darkroom/store/queue"
)

// WhyNotPost returns why the channel could not show an order that this person places; "": it could.
// It is asked first so that no credit is spent on an order that nobody would see. The person must be
// a full member of ours and in the channel. If nothing else is wrong, the app joins a public channel.
//
// Unlike elsewhere in this package, a refused token or scope is a reason and not an error. The
// person is told at once and need not wait for an operator.
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

// refusal maps a refusal of Slack to a reason. An outage stays an error.
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
