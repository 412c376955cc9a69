package poll

import (
	"cmp"
	"context"
	"slices"
	"time"

	"darkroom/store"
)

// scan uses the cheaper of listing and fetching for each order. Pages show orders that lie together near
// the top; the rest is fetched by id.
func (r *pollRun) scan(ctx context.Context) error {
	if r.active == 0 {
		return r.checkService(ctx)
	}
	r.probe(ctx)
	l, complete := r.list(ctx)
	if !complete {
		r.fetch(ctx, r.poller.nextFew(r.unseen()))
		return nil
	}
	l.learn()
	learned := r.knownOlder() > 0
	r.fetch(ctx, r.unseen())
	if !learned { // fetching may have found an order that the service knows
		l.learn()
	}
	return nil
}

// checkService checks whether the service answers if a new order or the operations channel waits for that.
func (r *pollRun) checkService(ctx context.Context) error {
	if !r.waited && !r.down {
		return nil
	}
	return r.readPage(ctx, 1).err
}

// fewOrders is how many orders a cautious poll requests by id.
const fewOrders = 8

// nextFew returns the next few orders in rotation, so that each order is polled even while the list cannot
// be read.
func (p *Poller) nextFew(ids []string) []string {
	if len(ids) <= fewOrders {
		return ids
	}
	p.nextOf = (p.nextOf + fewOrders) % len(ids)
	return slices.Concat(ids[p.nextOf:], ids[:p.nextOf])[:fewOrders]
}

// Orders that are gone are checked less and less often, one order a poll.
const (
	goneSoon = 15 * time.Minute
	goneLate = 24 * time.Hour
)

// recheckGone requests the gone order with the oldest check, if it is due. It does nothing while the
// service is down.
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

// recheckAfter returns how long to leave a gone order alone: as long as it was missed so far.
func recheckAfter(m store.Missed) time.Duration {
	return min(max(m.Last.Sub(m.Since), goneSoon), goneLate)
}
