package notifier

import (
	"context"
	"time"
)

// edge is how far down the list is worth reading, as an earlier tick found out, by
// whichever replica: orders below it are asked for by their ids. It counts for the orders
// it was learned with: once more lie below, all are listed again.
type edge struct {
	At      time.Time `json:"at"`                // of the oldest order for which a page is worth its call
	Undated bool      `json:"undated,omitempty"` // those that tell no time are below it too
	Orders  int       `json:"orders,omitempty"`  // that lie below, the fewest since it was learned
	Until   time.Time `json:"until"`             // when it is forgotten
}

// The edge is forgotten after a while: orders may lie together elsewhere by then.
const (
	edgeNote = "poll-edge"
	edgeLife = time.Hour
)

// above says that pages are worth reading for an order placed then; a zero time is not known.
func (e edge) above(at time.Time) bool {
	return at.IsZero() && !e.Undated || !at.IsZero() && !at.Before(e.At)
}

// below counts the orders that can change and lie below an edge.
func (r *pollRun) below(e edge) (orders int) {
	for i := range r.roll.orders {
		if o := &r.roll.orders[i]; !o.known.Gone && !e.above(o.known.OrderedAt) {
			orders++
		}
	}
	return orders
}

// keepEdge forgets the edge for this tick when more orders lie below it than it was learned with. When there
// are fewer, others do not take their place.
func (r *pollRun) keepEdge(ctx context.Context) error {
	below := r.below(r.edge)
	if below > r.edge.Orders {
		r.edge = edge{}
	}
	if below >= r.edge.Orders {
		return nil
	}
	r.edge.Orders = below
	return r.edge.put(ctx, r.poller.Store)
}

// put notes the edge until it is forgotten.
func (e edge) put(ctx context.Context, n notes) error {
	return n.PutTTL(ctx, edgeNote, e, max(time.Until(e.Until), time.Millisecond))
}

// learn keeps where the list should have been left, when it was left too late. It says
// nothing when the service knew none of the orders: then the list is another's.
func (l *listing) learn(ctx context.Context) error {
	known := l.edge
	best, saved, most := 0, 0, 0 // pages, and the calls they saved
	for i, shown := range l.shown {
		if saved += shown - 1; saved > most {
			best, most = i+1, saved
		}
	}
	if saved == most || l.knownOlder() == 0 {
		return nil
	}
	e := edge{At: l.newest().Add(time.Nanosecond), Undated: known.Undated, Until: known.Until}
	for _, at := range l.oldest[:best] {
		e.At = earlier(e.At, at)
	}
	if known.At.After(e.At) {
		e.At = known.At
	}
	for _, i := range l.sought {
		o := &l.roll.orders[i]
		e.Undated = e.Undated || !o.has(onPage) && o.known.OrderedAt.IsZero()
	}
	if e.At.Equal(known.At) && e.Undated == known.Undated {
		return nil
	}
	if e.Until.IsZero() {
		e.Until = time.Now().UTC().Add(edgeLife)
	}
	e.Orders = l.below(e)
	return e.put(ctx, l.poller.Store)
}

// newest is when the latest of the wanted orders was placed.
func (l *listing) newest() time.Time {
	var newest time.Time
	for _, i := range l.sought {
		if at := l.roll.orders[i].known.OrderedAt; at.After(newest) {
			newest = at
		}
	}
	return newest
}
