package commands

import (
	"context"
	"errors"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/commands/answer"
	"darkroom/commands/resolve"
	"darkroom/store"
)

// follow subscribes the person to direct messages about an order. It is idempotent.
func (c *details) follow(ctx context.Context, r bot.Request) error {
	t, err := c.finder.Visible(ctx, r, resolve.Ref{ID: orderIn(r)})
	if err != nil {
		return err
	}
	if !t.Followable() {
		return c.showFollowing(ctx, r, t, cards.FollowNot(t, false))
	}
	err = c.follows.Follow(ctx, t.ID, r.User)
	switch {
	case errors.Is(err, store.ErrFollowersFull):
		return c.showFollowing(ctx, r, t, cards.FollowNot(t, true))
	case errors.Is(err, store.ErrNotTracked): // somebody has just untracked it
		return answer.Refusal{Message: kit.Say(cards.NotFound(orderIn(r)))}
	case err != nil:
		return err
	}
	return c.showFollowing(ctx, r, t, cards.Follows(t))
}

// unfollow ends the subscription, even for an order that the person can no longer see.
func (c *details) unfollow(ctx context.Context, r bot.Request) error {
	r.Thread = "" // the button stands in a thread or beside it: the channel's main view reaches both readers
	if err := c.follows.Unfollow(ctx, orderIn(r), r.User); err != nil {
		return err
	}
	t, err := c.finder.Visible(ctx, r, resolve.Ref{ID: orderIn(r)})
	if _, hidden := errors.AsType[answer.Refusal](err); hidden {
		return c.answers.Send(ctx, r, kit.Say(cards.FollowsNoMore(store.Tracked{})))
	}
	if err != nil {
		return err
	}
	return c.showFollowing(ctx, r, t, cards.FollowsNoMore(t))
}

// showFollowing shows the result in the window of the order's details, which then offers the opposite, or in a private
// message.
func (c *details) showFollowing(ctx context.Context, r bot.Request, t store.Tracked, notice string) error {
	if r.View == nil {
		return c.answers.Send(ctx, r, kit.Say(notice))
	}
	t, events, acts, err := c.fullOrder(ctx, r, resolve.Ref{ID: t.ID})
	if err != nil {
		return err
	}
	return c.windows.Fill(ctx, r.View.ExternalID, "", c.detailsView(r, t, events, acts, r.View.ExternalID, notice))
}
