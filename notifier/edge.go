package notifier

import (
	"context"
	"time"
)

// edge is how far down the list is worth reading, as an earlier tick found out, by
// whichever replica: orders below it are asked for by their ids.
type edge struct {
	At      time.Time `json:"at"`                // of the oldest order for which a page is worth its call
	Undated bool      `json:"undated,omitempty"` // those that tell no time are below it too
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
	life := max(time.Until(e.Until), time.Millisecond)
	return l.poller.Store.PutTTL(ctx, edgeNote, e, life)
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
