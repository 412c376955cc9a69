package jobs

import (
	"context"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"darkroom/cards"
	"darkroom/order"
	"darkroom/store"
)

// An order is looked for by the reference in its name. So not finding it proves something only at a service that is
// known to keep the names which orders are given: that is learned from every answer, and kept with the account.

// noteNames learns from the name that an account's service gives to an order of ours.
func (j *Jobs) noteNames(ctx context.Context, to store.SentTo, name, reference string) (store.Names, error) {
	if strings.TrimSpace(name) == "" || reference == "" { // an answer without a name says nothing
		return store.Names{}, nil
	}
	return j.store.NoteNames(ctx, to.Account, store.Names{Own: !order.Carries(name, reference), Kept: order.KeptOf(name)})
}

// tellNames tells the operations channel, once for each account, that its service keeps names of its own.
func (j *Jobs) tellNames(ctx context.Context, job string) error {
	to, err := j.sendsTo(ctx)
	if err != nil {
		return err
	}
	tells, err := j.store.TellNames(ctx, to.Account, job)
	if err != nil || !tells {
		return err
	}
	j.log.WarnContext(ctx, "the service keeps names of its own: what is not found by its name may be there", "account", to.Account)
	if j.ops == nil {
		return j.store.NamesTold(ctx, true)
	}
	says := cards.OwnNames
	if j.connecting != nil {
		says = cards.OwnNamesHere
	}
	_, err = j.ops(ctx, says)
	if err != nil {
		j.log.WarnContext(ctx, "operations channel not told", "err", err)
	}
	return j.store.NamesTold(ctx, err == nil)
}

// learn learns from the answer that is kept of this order.
func (p *placeRun) learn(ctx context.Context) error {
	to := p.draft.SentTo // another may be connected by now
	if to == (store.SentTo{}) {
		var err error
		if to, err = p.sendsTo(ctx); err != nil {
			return err
		}
	}
	names, err := p.noteNames(ctx, to, p.kept.Order.ProjectName, p.draft.Reference)
	if err == nil && names.Own {
		err = p.tellNames(ctx, p.d.ID)
	}
	return err
}

// proves reports whether the order would have been found by its name, had it been there. Orders of
// ours that the reading saw count, too: of an account that has not answered us yet nothing else is known.
func (p *placeRun) proves(ctx context.Context, seen searchResult) (bool, error) {
	to, err := p.sendsTo(ctx)
	if err != nil {
		return false, err
	}
	names, err := p.store.Names(ctx, to.Account)
	names.Kept = names.Kept.And(seen.kept)
	return names.Prove(order.NeededFor(order.FullName(p.draft.ProjectName, p.draft.Reference), p.draft.Reference)), err
}

// risks reports whether the person was told, before this attempt, that it may cost twice. It is theirs to
// try all the same, once: in another run of Redis than they did, this attempt may be out already.
func (p *placeRun) risks() bool {
	return p.d.SameRun && p.draft.Warned > 0 && p.draft.Warned == p.body.Attempt-1
}

// mayCost returns what the order may have cost, by what its channel's newest orders did; not valid when
// they do not tell, or credits are not its person's to read.
func (p *placeRun) mayCost(ctx context.Context) decimal.NullDecimal {
	images, sum := map[order.ServiceType]int{}, decimal.Zero
	for _, image := range p.draft.Images() {
		if image.Service != order.ServiceReference {
			images[image.Service]++
		}
	}
	costs := p.Presets(ctx, ownerOf(p.draft), p.draft.Channel).Costs
	for service, n := range images {
		i := slices.IndexFunc(costs, func(c order.Cost) bool { return c.Service == service })
		if i < 0 {
			return decimal.NullDecimal{}
		}
		sum = sum.Add(costs[i].For(n))
	}
	return decimal.NewNullDecimal(sum)
}
