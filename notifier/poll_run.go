package notifier

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"darkroom/order"
	"darkroom/store"
)

// reads is how many calls to the service one tick has under way at once.
const reads = 4

// pollRun is one tick's look at the service.
type pollRun struct {
	poller *Poller
	active map[string]store.Active // those that can change
	gone   map[string]store.Active // those that the service knows no longer
	since  time.Time               // when the first of the active ones was missed, else when the poll began

	doubted bool            // the operations channel knows that the service may not know our orders
	skipped map[string]bool // ids that are not looked for in this poll

	mu       sync.Mutex           // guards the rest while calls run side by side
	seen     map[string]bool      // by id: was it on a page, and did it differ there
	fetched  map[string]bool      // ids that were asked for
	known    map[string]bool      // ids that the service knew, on a page or when asked for
	missed   map[string]time.Time // ids that it did not know when asked for, and since when
	answered bool                 // the service answered at least one
	outage   bool                 // at least one read found it unavailable
	errs     []error
}

func (p *Poller) newRun(orders map[string]store.Active) *pollRun {
	r := &pollRun{
		poller: p, active: map[string]store.Active{}, gone: map[string]store.Active{}, since: time.Now(), skipped: map[string]bool{},
		seen: map[string]bool{}, fetched: map[string]bool{}, known: map[string]bool{}, missed: map[string]time.Time{},
	}
	for id, a := range orders {
		if a.Gone {
			r.gone[id] = a
			continue
		}
		r.active[id] = a
		if !a.Missed.IsZero() && a.Missed.Since.Before(r.since) {
			r.since = a.Missed.Since
		}
	}
	return r
}

// unseen are the active orders that no page showed and nobody asked for.
func (r *pollRun) unseen() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.DeleteFunc(slices.Sorted(maps.Keys(r.active)), func(id string) bool {
		_, onPage := r.seen[id]
		return onPage || r.fetched[id] || r.skipped[id]
	})
}

// changed are those that a page showed to differ, and that nobody asked for yet. One that
// is gone and on a page is among them.
func (r *pollRun) changed() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.DeleteFunc(slices.Sorted(maps.Keys(r.seen)), func(id string) bool { return !r.seen[id] || r.fetched[id] })
}

// entry is what is known of an order, active or gone.
func (r *pollRun) entry(id string) (store.Active, bool) {
	a, ours := r.active[id]
	if !ours {
		a, ours = r.gone[id]
	}
	return a, ours
}

// heard notes how the service answered one call.
func (r *pollRun) heard(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case err == nil, errors.Is(err, order.ErrRateLimited), errors.Is(err, order.ErrRefused):
		r.answered = true // busy is not down
	case errors.Is(err, order.ErrUnavailable):
		r.outage = true
	}
}

func (r *pollRun) fail(err error) {
	r.locked(func() { r.errs = append(r.errs, err) })
}

// locked changes what the calls that run side by side share.
func (r *pollRun) locked(change func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change()
}

// fetch reads the orders in full and records those that differ. It begins anywhere among
// them, so that the same ones are not always the last when ticks are cut short.
func (r *pollRun) fetch(ctx context.Context, ids []string) {
	each(rotated(ids), func(i int, id string) {
		if ctx.Err() != nil || i >= reads && r.away() || r.knowsNone() && r.isOlder(id) {
			return // the first few were enough to know
		}
		r.locked(func() { r.fetched[id] = true })
		if err := r.follow(ctx, id); err != nil {
			r.fail(fmt.Errorf("order %s: %w", id, err))
		}
	})
}

func rotated(ids []string) []string {
	first := rand.IntN(max(len(ids), 1))
	return slices.Concat(ids[first:], ids[:first])
}

// away says that the service has answered nothing so far.
func (r *pollRun) away() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.outage && !r.answered
}

// each calls f with every item and its index, at most [reads] of them at once.
func each[T any](items []T, f func(i int, item T)) {
	var calls errgroup.Group
	calls.SetLimit(reads)
	for i, item := range items {
		calls.Go(func() error {
			f(i, item)
			return nil
		})
	}
	_ = calls.Wait() // f tells of its errors itself
}
