package commands

import (
	"context"
	"errors"
	"time"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/store"
)

// decideHold answers *Allow* and *Decline* of a question to a channel's approvers: once, by one who is an
// approver now.
func (c *Commands) decideHold(ctx context.Context, r bot.Request) error {
	h, decided, err := c.store.Hold(ctx, r.Value)
	if errors.Is(err, store.ErrAbsent) || err == nil && h.Team != r.Team {
		return sorry(cards.HoldGone, "")
	}
	if err != nil {
		return err
	}
	if err := c.mayDecideHold(ctx, r, h); err != nil {
		return err
	}
	if decided == nil {
		first, err := c.store.DecideHold(ctx, h.ID(), store.HoldDecision{By: r.User, At: time.Now(), Allowed: r.Name == cards.ActionAllow})
		if err != nil {
			return err
		}
		decided = &first
	}
	if err := c.jobs.PutHeld(ctx, h); err != nil {
		return err
	}
	if decided.By != r.User || decided.Allowed != (r.Name == cards.ActionAllow) {
		return c.tell(ctx, r, cards.HoldDecided(*decided))
	}
	return nil
}

// mayDecideHold refuses whoever is no approver of the channel.
func (c *Commands) mayDecideHold(ctx context.Context, r bot.Request, h store.Hold) error {
	here := store.Tracked{Owner: store.Owner{Team: h.Team, Channel: h.Channel}}
	permit, err := c.access.Authorize(ctx, r, here)
	if err == nil && !permit.Sees {
		return sorry(cards.HoldGone, "")
	}
	if err := cannotPost(h.Channel, permit.Denial, "", err); err != nil {
		return err
	}
	if h.Why == store.HoldAccount {
		if operator, err := c.access.IsOperatorNow(ctx, r); err != nil || operator {
			return err
		}
		return sorry(cards.NotAllower(h.Channel, nil), "")
	}
	named, err := c.access.ApprovalKeptFor(ctx, r.User, here)
	if err != nil || len(named) == 0 {
		return err
	}
	return sorry(cards.NotAllower(h.Channel, named), "")
}
