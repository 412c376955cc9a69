package commands

import (
	"context"
	"errors"
	"slices"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/commands/answer"
	"darkroom/commands/resolve"
	"darkroom/store"
)

// takeOver makes the person the requester of an order whose requester has left. If several people press *Take Over*,
// one gets the order, and the others read who.
func (c *tracking) takeOver(ctx context.Context, r bot.Request) error {
	t, err := c.finder.Visible(ctx, r, resolve.Ref{ID: orderIn(r)})
	if err != nil {
		return err
	}
	may, err := c.access.Authorize(ctx, r, t)
	if err := answer.CannotPost(t.Owner.Channel, may.Denial, "", err); err != nil {
		return err
	}
	gone, err := c.access.HasLeft(ctx, t.Owner.Requester)
	if err != nil {
		return err
	}
	if gone {
		t, err = c.store.Changes.TakeOver(ctx, t.ID, t.Owner.Requester, r.User)
	}
	if !gone || errors.Is(err, store.ErrTaken) {
		return c.answers.Send(ctx, r, cards.AlreadyOwned(t, r.User))
	}
	if err != nil {
		return err
	}
	c.jobs.Home.Changed(ctx, r.Team, r.User)
	offer, err := c.store.Documents.Offer(ctx, t)
	if err != nil {
		return err
	}
	return c.answers.Send(ctx, r, cards.TakenOver(t, slices.Contains(offer.People, r.User)))
}
