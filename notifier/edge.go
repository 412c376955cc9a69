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

// above are the unseen orders for which pages are worth reading.
func (r *pollRun) above(e edge) []string {
	var ids []string
	for _, id := range r.unseen() {
		at := r.active[id].OrderedAt
		if at.IsZero() && !e.Undated || !at.IsZero() && !at.Before(e.At) {
			ids = append(ids, id)
		}
	}
	return ids
}

// learn keeps where the list should have been left, when it was left too late. It says
// nothing when the service knew none of the orders: then the list is another's.
func (l *listing) learn(ctx context.Context, known edge) error {
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
	for _, id := range l.notShown() {
		e.Undated = e.Undated || l.active[id].OrderedAt.IsZero()
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
	for id := range l.wanted {
		if at := l.active[id].OrderedAt; at.After(newest) {
			newest = at
		}
	}
	return newest
}
