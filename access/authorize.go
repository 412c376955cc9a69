package access

import (
	"context"
	"slices"

	"darkroom/bot"
	"darkroom/order"
	"darkroom/store"
)

// Permit is what a person may do with one order. The zero value allows nothing.
type Permit struct {
	Sees   bool
	Denial order.Denial // why they may not change what they see; "" = they may
}

// Acts reports whether the person may change the order.
func (p Permit) Acts() bool { return p.Sees && p.Denial == "" }

// Authorize tells what the person may do with the order, as Slack has it at this moment: who is
// a member of its channel sees it, and changes it when they are a full member of ours, too.
func (a *Control) Authorize(ctx context.Context, r bot.Request, t store.Tracked) (Permit, error) {
	see, err := a.CanSee(ctx, r, t)
	if err != nil || !see {
		return Permit{}, err
	}
	why, err := a.WhyNoMemberNow(ctx, r.User)
	if err != nil {
		return Permit{}, err
	}
	return Permit{Sees: true, Denial: why}, nil
}

// CanMove reports whether the person may hand the order to another channel. Of those who may
// change it, operators may, and who asked for it or was offered it since, because it is that person
// whom the app tells when it can no longer post in the order's channel.
func (a *Control) CanMove(ctx context.Context, r bot.Request, t store.Tracked) (bool, error) {
	p, err := a.Authorize(ctx, r, t)
	if err != nil || !p.Acts() || r.User == t.Owner.Requester {
		return p.Acts(), err
	}
	if offer, err := a.offer(ctx, t); err != nil || slices.Contains(offer.People, r.User) {
		return err == nil, err
	}
	return a.IsOperator(ctx, r)
}
