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
	Denial order.Denial // why they may not change the order; "": they may, if they see it
}

// Acts reports whether the person may change the order.
func (p Permit) Acts() bool { return p.Sees && p.Denial == "" }

// Authorize returns what the person may do with the order now. A member of its channel sees it. If they are
// also a full member of ours, they may change it.
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

// CanMove reports whether the person may move the order to another channel. If its channel names approvers, they and
// operators may, and CanMove returns the approvers. Otherwise operators may, the requester, and the people it was
// offered to. The app notifies these people when it can no longer post in the channel.
func (a *Control) CanMove(ctx context.Context, r bot.Request, t store.Tracked) (may bool, approvers []string, err error) {
	p, err := a.Authorize(ctx, r, t)
	if err != nil || !p.Acts() {
		return false, nil, err
	}
	settings, err := a.cfg.Settings.Of(ctx, t.Owner.Team, t.Owner.Channel)
	if err != nil {
		return false, nil, err
	}
	if named := settings.Decides.AskedOf(); len(named) > 0 {
		may, err = a.MaySetDecisions(ctx, r, settings.Decides)
		return may, named, err
	}
	if r.User == t.Owner.Requester {
		return true, nil, nil
	}
	if offer, err := a.offer(ctx, t); err != nil || slices.Contains(offer.People, r.User) {
		return err == nil, nil, err
	}
	may, err = a.IsOperator(ctx, r)
	return may, nil, err
}
