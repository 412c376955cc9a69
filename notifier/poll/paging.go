package poll

import (
	"time"
)

// pagingCutoff is how far down the list pages are worth reading, as an earlier poll learned. Orders placed
// before it are fetched by id. It holds for the orders it was learned with: once more lie below, all are
// listed again.
type pagingCutoff struct {
	At      time.Time `json:"at"`                // time of the oldest order that is worth a page
	Undated bool      `json:"undated,omitempty"` // undated orders are below it, too
	Orders  int       `json:"orders,omitempty"`  // orders below it, the fewest since it was learned
	Until   time.Time `json:"until"`             // when it expires
}

// cutoffLife is how long a cutoff holds. By then, orders may lie elsewhere in the list.
const cutoffLife = time.Hour

// above reports whether pages are worth reading for an order placed at a time; zero: unknown.
func (c pagingCutoff) above(at time.Time) bool {
	return at.IsZero() && !c.Undated || !at.IsZero() && !at.Before(c.At)
}

// below counts the active orders below a cutoff.
func (r *pollRun) below(c pagingCutoff) (orders int) {
	for i := range r.tracked.orders {
		if o := &r.tracked.orders[i]; !o.known.Gone && !c.above(o.known.OrderedAt) {
			orders++
		}
	}
	return orders
}

// useCutoff loads the cutoff of the poll before, unless it expired or more orders lie below it than
// before. If fewer do, that number becomes the new bound.
func (r *pollRun) useCutoff() {
	saved := r.poller.state.Cutoff
	if saved == nil {
		return
	}
	below := r.below(*saved)
	if !time.Now().Before(saved.Until) {
		r.poller.state.Cutoff = nil
		return
	}
	if below > saved.Orders {
		return
	}
	r.cutoff = *saved
	if below < saved.Orders {
		r.cutoff.Orders = below
		r.poller.state.Cutoff = &r.cutoff
	}
}

// learn saves where paging should have stopped, if it went too far. It learns nothing if the service knew
// none of the orders: the list may then be another account's.
func (l *listing) learn() {
	known := l.run.cutoff
	pages, saved, most := 0, 0, 0 // pages, and the calls they saved
	for i, shown := range l.shown {
		if saved += shown - 1; saved > most {
			pages, most = i+1, saved
		}
	}
	if saved == most || l.run.knownOlder() == 0 {
		return
	}
	c := pagingCutoff{At: l.newest().Add(time.Nanosecond), Undated: known.Undated, Until: known.Until}
	for _, at := range l.oldest[:pages] {
		c.At = earlier(c.At, at)
	}
	if known.At.After(c.At) {
		c.At = known.At
	}
	for _, i := range l.wanted {
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

// newest returns when the latest of the wanted orders was placed.
func (l *listing) newest() time.Time {
	var newest time.Time
	for _, i := range l.wanted {
		if at := l.run.tracked.orders[i].known.OrderedAt; at.After(newest) {
			newest = at
		}
	}
	return newest
}
