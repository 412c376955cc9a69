package notifier

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"darkroom/store"
)

// scan takes the cheaper of listing newest first and fetching every order by id, for each
// order: pages show those that lie together near the top, the rest is asked for.
func (r *pollRun) scan(ctx context.Context) error {
	if len(r.active) == 0 {
		return nil
	}
	if err := r.probe(ctx); err != nil {
		return err
	}
	known, _, err := noted[edge](ctx, r.poller.Store, edgeNote)
	if err != nil {
		return err
	}
	l, complete := r.list(ctx, r.above(known))
	if !complete {
		r.fetch(ctx, r.poller.nextFew(r.unseen()))
		return nil
	}
	if err := l.learn(ctx, known); err != nil || r.knownOlder() > 0 {
		r.fetch(ctx, r.unseen())
		return err
	}
	r.fetch(ctx, r.unseen())
	return l.learn(ctx, known)
}

// atATurn is how many orders a tick asks for by id while it asks for a few only.
const atATurn = 2 * reads

// nextFew takes the next few of these orders, so that each has its turn: a list that
// cannot be read must not leave every channel in the dark.
func (p *Poller) nextFew(ids []string) []string {
	if len(ids) <= atATurn {
		return ids
	}
	p.turns = (p.turns + atATurn) % len(ids)
	return slices.Concat(ids[p.turns:], ids[:p.turns])[:atATurn]
}

// What is gone is looked at less and less often, and one order a tick.
const (
	goneSoon = 15 * time.Minute
	goneLate = 24 * time.Hour
)

// recheckGone asks for the order that was not asked for longest, if its time has come. The
// service must have answered: one that is away is not asked for what it does not know.
func (r *pollRun) recheckGone(ctx context.Context) {
	if ctx.Err() != nil || r.outage {
		return
	}
	due := slices.DeleteFunc(slices.Collect(maps.Keys(r.gone)), func(id string) bool {
		return r.fetched[id] || time.Since(r.gone[id].Missed.Last) < recheckAfter(r.gone[id].Missed)
	})
	if len(due) == 0 {
		return
	}
	r.fetch(ctx, []string{slices.MinFunc(due, func(a, b string) int {
		return cmp.Or(r.gone[a].Missed.Last.Compare(r.gone[b].Missed.Last), cmp.Compare(a, b))
	})})
}

// recheckAfter is how long an order that is gone is left alone: as long as it was missed so far.
func recheckAfter(m store.Missed) time.Duration {
	return min(max(m.Last.Sub(m.Since), goneSoon), goneLate)
}
