package commands

import (
	"context"
	"errors"

	"darkroom/bot"
	"darkroom/store"
)

// A person who may not see an order is answered as if it did not exist.
var errNotFound = errors.New("no such order")

// maySee reports whether the person may see the order: the members of its channel may.
// Slack tells us members only of channels that the app is in; who stands in the
// order's own channel while asking is in it.
func (c *Commands) maySee(ctx context.Context, r bot.Request, t store.Tracked) (bool, error) {
	if r.Team != t.Owner.Team {
		return false, nil
	}
	member, err := c.slack.IsMember(ctx, t.Owner.Channel, r.User)
	if errors.Is(err, bot.ErrNoChannel) || errors.Is(err, bot.ErrNotInChannel) {
		return r.Channel == t.Owner.Channel, nil
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

// isHost reports whether the person is a full member of this workspace.
func (c *Commands) isHost(ctx context.Context, r bot.Request) (bool, error) {
	user, err := c.slack.User(ctx, r.User)
	if err != nil {
		return false, err
	}
	guest := user.IsRestricted || user.IsUltraRestricted || user.IsStranger
	return !guest && (user.TeamID == "" || user.TeamID == r.Team), nil
}
