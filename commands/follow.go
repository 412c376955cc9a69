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

// follow has the person told by direct message of whatever others do to an order that they see. Doing it twice
// is doing it once.
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
	case errors.Is(err, store.ErrNotTracked): // it was untracked at this very moment
		return answer.Refusal{Message: kit.Say(cards.NotFound(orderIn(r)))}
	case err != nil:
		return err
	}
	return c.showFollowing(ctx, r, t, cards.Follows(t))
}

// unfollow ends that, also of an order that the person may not see any more.
func (c *details) unfollow(ctx context.Context, r bot.Request) error {
	r.Thread = "" // news stands in its thread and beside it: the answer is where both readers pass
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

// showFollowing says what came of it: in the window of the order's details, which then offers the opposite, else
// so that only that person sees it.
func (c *details) showFollowing(ctx context.Context, r bot.Request, t store.Tracked, said string) error {
	if r.View == nil {
		return c.answers.Send(ctx, r, kit.Say(said))
	}
	t, events, acts, err := c.fullOrder(ctx, r, resolve.Ref{ID: t.ID})
	if err != nil {
		return err
	}
	return c.windows.Fill(ctx, r, r.View.ExternalID, "", c.detailsView(r, t, events, acts, r.View.ExternalID, said))
}
