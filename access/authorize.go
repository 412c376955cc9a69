package access

import (
	"context"

	"darkroom/bot"
	"darkroom/order"
	"darkroom/store"
)

// Permit is what a person may do with one order.
type Permit struct {
	Sees   bool
	Denial order.Denial // for which they may not change it; "" = they may, when they see it
}

// Acts says that the person may change the order.
func (p Permit) Acts() bool { return p.Sees && p.Denial == "" }

// Authorize tells whether the person may change the order now: guests and people from other
// organisations may only see.
func (a *Control) Authorize(ctx context.Context, r bot.Request, t store.Tracked) (Permit, error) {
	see, err := a.CanSee(ctx, r, t)
	if err != nil || !see {
		return Permit{}, err
	}
	why, err := a.WhyNoMemberNow(ctx, r.User)
	return Permit{Sees: true, Denial: why}, err
}

// AuthorizeApprove tells whether the person may close the order. A channel's approvers, when
// it names some, go here.
func (a *Control) AuthorizeApprove(ctx context.Context, r bot.Request, t store.Tracked) (Permit, error) {
	return a.Authorize(ctx, r, t)
}

// CanMove reports whether the person may hand the order to another channel: operators,
// and who asked for it, since that person is told when its channel is out of reach.
func (a *Control) CanMove(ctx context.Context, r bot.Request, t store.Tracked) (bool, error) {
	p, err := a.Authorize(ctx, r, t)
	if err != nil || !p.Acts() || r.User == t.Owner.Requester {
		return p.Acts(), err
	}
	return a.IsOperator(ctx, r)
}
