package access

import (
	"context"
	"errors"
	"slices"

	"darkroom/bot"
	"darkroom/bot/client"
	"darkroom/order"
	"darkroom/store"
)

// wasOffered reports whether the order was offered to the person, see [store.Offer]. Only full members can take it.
func (a *Control) wasOffered(ctx context.Context, r bot.Request, t store.Tracked) (bool, error) {
	offer, err := a.offer(ctx, t)
	switch {
	case err != nil:
		return false, err
	case slices.Contains(offer.People, r.User):
		why, err := a.WhyNoMemberNow(ctx, r.User)
		return err == nil && why == "", err
	case offer.Operators:
		return a.IsOperatorNow(ctx, r)
	}
	return false, nil
}

func (a *Control) offer(ctx context.Context, t store.Tracked) (store.Offer, error) {
	if a.cfg.Offers == nil {
		return store.Offer{}, nil
	}
	return a.cfg.Offers(ctx, t)
}

// HasLeft asks Slack whether the user's account is deactivated or unknown. It is also true for a person whose
// data the app has erased.
func (a *Control) HasLeft(ctx context.Context, user string) (bool, error) {
	if user == order.FormerPerson {
		return true, nil
	}
	who, err := a.cfg.Slack.UserNow(ctx, user)
	if errors.Is(err, client.ErrNoUser) {
		return true, nil
	}
	return who.Deleted, err
}
