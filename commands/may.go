package commands

import (
	"context"
	"errors"
	"slices"

	"darkroom/bot"
	"darkroom/store"
)

// A person who may not see an order is answered as if it did not exist.
var errNotFound = errors.New("no such order")

// maySee reports whether the person may see the order: the members of its channel may.
// Slack tells us members only of channels that the app is in. Of others we know that who
// stands in the channel while asking is in it, and who asked for the order may follow it.
func (c *Commands) maySee(ctx context.Context, r bot.Request, t store.Tracked) (bool, error) {
	if r.Team != t.Owner.Team {
		return false, nil
	}
	member, err := c.slack.IsMember(ctx, t.Owner.Channel, r.User)
	if errors.Is(err, bot.ErrNoChannel) || errors.Is(err, bot.ErrNotInChannel) {
		return r.Channel == t.Owner.Channel || r.User == t.Owner.Requester, nil
	}
	return member, err
}

// mayAct reports whether the person may also change the order: guests and people from
// other organisations may only see.
func (c *Commands) mayAct(ctx context.Context, r bot.Request, t store.Tracked) (bool, error) {
	see, err := c.maySee(ctx, r, t)
	if err != nil || !see {
		return false, err
	}
	return c.isHost(ctx, r)
}

// mayApprove reports whether the person may close the order. A channel's approvers, when
// it names some, go here.
func (c *Commands) mayApprove(ctx context.Context, r bot.Request, t store.Tracked) (bool, error) {
	return c.mayAct(ctx, r, t)
}

// mayMove reports whether the person may hand the order to another channel: operators,
// and who asked for it, since that person is told when its channel is out of reach.
func (c *Commands) mayMove(ctx context.Context, r bot.Request, t store.Tracked) (bool, error) {
	act, err := c.mayAct(ctx, r, t)
	if err != nil || !act || r.User == t.Owner.Requester {
		return act, err
	}
	return c.isOperator(ctx, r)
}

// isOperator reports whether the person may do what concerns the whole account: those
// the operator of this app named, else the workspace's admins.
func (c *Commands) isOperator(ctx context.Context, r bot.Request) (bool, error) {
	if len(c.operators) > 0 {
		return slices.Contains(c.operators, r.User), nil
	}
	user, err := c.slack.User(ctx, r.User)
	if err != nil {
		return false, err
	}
	host, err := c.isHost(ctx, r)
	return host && (user.IsAdmin || user.IsOwner || user.IsPrimaryOwner), err
}

// isHost reports whether the person is a full member of this workspace.
func (c *Commands) isHost(ctx context.Context, r bot.Request) (bool, error) {
	user, err := c.slack.User(ctx, r.User)
	if err != nil {
		return false, err
	}
	guest := user.IsRestricted || user.IsUltraRestricted || user.IsStranger
	return !guest && (user.TeamID == "" || user.TeamID == r.Team), nil
}
