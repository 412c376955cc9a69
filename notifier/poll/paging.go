package poll

import (
	"time"
)

// pagingCutoff is how far down the list pages are worth reading, as an earlier poll found out: orders that were placed before it
// are fetched by id. It holds for the orders it was learned with: once more lie below, all are listed again.
type pagingCutoff struct {
	At      time.Time `json:"at"`                // when the oldest order was placed for which a page is worth its call
	Undated bool      `json:"undated,omitempty"` // orders without a time are below it, too
	Orders  int       `json:"orders,omitempty"`  // that lie below: the fewest since it was learned
	Until   time.Time `json:"until"`             // when it is forgotten
}

// cutoffLife is how long a cutoff holds: orders may lie together elsewhere by then.
const cutoffLife = time.Hour

func (c pagingCutoff) equal(other pagingCutoff) bool {
	return c.At.Equal(other.At) && c.Undated == other.Undated && c.Orders == other.Orders && c.Until.Equal(other.Until)
}

// above reports whether pages are worth reading for an order placed at a time; the zero time is unknown.
func (c pagingCutoff) above(at time.Time) bool {
	return at.IsZero() && !c.Undated || !at.IsZero() && !at.Before(c.At)
}

// below counts the orders that can change and lie below a cutoff.
func (r *pollRun) below(c pagingCutoff) (orders int) {
	for i := range r.tracked.orders {
		if o := &r.tracked.orders[i]; !o.known.Gone && !c.above(o.known.OrderedAt) {
			orders++
		}
	}
	return orders
}

// useCutoff takes the cutoff over from the poll before, unless it has expired or more orders lie below it than it was learned
// with. When fewer do, others do not take their place.
func (r *pollRun) useCutoff() {
	kept := r.poller.state.Cutoff
	if kept == nil {
		return
	}
	below := r.below(*kept)
	if !time.Now().Before(kept.Until) {
		r.poller.state.Cutoff = nil
		return
	}
	if below > kept.Orders {
		return
	}
	r.cutoff = *kept
	if below < kept.Orders {
		r.cutoff.Orders = below
		r.poller.state.Cutoff = &r.cutoff
	}
}

// learn keeps where paging should have stopped, when it went too far. When the service knew none of the orders it learns
// nothing: the list is another account's then.
func (l *listing) learn() {
	known := l.run.cutoff
	best, saved, most := 0, 0, 0 // pages, and the calls they saved
	for i, shown := range l.shown {
		if saved += shown - 1; saved > most {
			best, most = i+1, saved
		}
	}
	if saved == most || l.run.knownOlder() == 0 {
		return
	}
	c := pagingCutoff{At: l.newest().Add(time.Nanosecond), Undated: known.Undated, Until: known.Until}
	for _, at := range l.oldest[:best] {
		c.At = earlier(c.At, at)
	}
	if known.At.After(c.At) {
		c.At = known.At
	}
	for _, i := range l.sought {
		o := &l.run.tracked.orders[i]
		c.Undated = c.Undated || !o.has(onPage) && o.known.OrderedAt.IsZero()
	}
	if c.At.Equal(known.At) && c.Undated == known.Undated {
		return
	}
	if c.Until.IsZero() {
		c.Until = time.Now().UTC().Add(cutoffLife)
	}
	c.Orders = l.run.below(c)
	l.run.poller.state.Cutoff = &c
}

// newest returns when the latest of the sought orders was placed.
func (l *listing) newest() time.Time {
	var newest time.Time
	for _, i := range l.sought {
		if at := l.run.tracked.orders[i].known.OrderedAt; at.After(newest) {
			newest = at
		}
	}
	return newest
}
