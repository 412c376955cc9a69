package poll

import (
	"cmp"
	"context"
	"slices"
	"time"

	"darkroom/store"
)

// scan takes the cheaper of listing newest first and fetching every order by id, for each
// order: pages show those that lie together near the top, the rest is asked for.
func (r *pollRun) scan(ctx context.Context) error {
	if r.active == 0 {
		return r.listen(ctx)
	}
	r.probe(ctx)
	l, complete := r.list(ctx)
	if !complete {
		r.fetch(ctx, r.poller.nextFew(r.unseen()))
		return nil
	}
	if l.learn(); r.knownOlder() > 0 {
		r.fetch(ctx, r.unseen())
		return nil
	}
	r.fetch(ctx, r.unseen())
	l.learn()
	return nil
}

// listen asks whether the service answers, when nothing else is asked of it: a new order waits for that, or the
// operations channel.
func (r *pollRun) listen(ctx context.Context) error {
	if !r.waited && !r.down {
		return nil
	}
	return r.readPage(ctx, 1).err
}

// fewOrders is how many orders a poll asks for by id while it asks for a few only.
const fewOrders = 8

// nextFew takes the next few of these orders, so that each has its turn: a list that
// cannot be read must not leave every channel in the dark.
func (p *Poller) nextFew(ids []string) []string {
	if len(ids) <= fewOrders {
		return ids
	}
	p.nextOf = (p.nextOf + fewOrders) % len(ids)
	return slices.Concat(ids[p.nextOf:], ids[:p.nextOf])[:fewOrders]
}

// What is gone is looked at less and less often, and one order a poll.
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
	var next *trackedOrder
	for i := range r.tracked.orders {
		o := &r.tracked.orders[i]
		m := o.known.Missed
		if !o.known.Gone || o.has(asked) || time.Since(m.Last) < recheckAfter(m) {
			continue
		}
		if next == nil || cmp.Or(m.Last.Compare(next.known.Missed.Last), cmp.Compare(o.id, next.id)) < 0 {
			next = o
		}
	}
	if next != nil {
		r.fetchOne(ctx, next.id)
	}
}

// recheckAfter is how long an order that is gone is left alone: as long as it was missed so far.
func recheckAfter(m store.Missed) time.Duration {
	return min(max(m.Last.Sub(m.Since), goneSoon), goneLate)
}
