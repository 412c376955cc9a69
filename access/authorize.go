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

// CanMove reports whether the person may hand the order to another channel. Out of a channel that names approvers,
// one of them may, and operators; kept are the approvers, for who may not. Out of any other channel, operators may, and
// who asked for the order or was offered it since: the app tells that person when it can no longer post there.
func (a *Control) CanMove(ctx context.Context, r bot.Request, t store.Tracked) (may bool, kept []string, err error) {
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
