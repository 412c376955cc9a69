package notifier

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"darkroom/store"
	"darkroom/upstream"
)

// reads is how many calls to the service one tick has under way at once.
const reads = 4

// round is one tick's look at the service.
type round struct {
	poller *Poller
	active map[string]store.Active

	mu       sync.Mutex      // guards the rest while calls run side by side
	seen     map[string]bool // by id: was it on a page, and did it differ there
	calls    int             // how many calls the look has cost
	answered bool            // the service answered at least one
	outage   bool            // at least one read found it unavailable
	errs     []error
}

// oldest is the active order that was placed first, and when; the time is zero
// when one of them does not tell.
func (r *round) oldest() (string, time.Time) {
	ids := slices.Sorted(maps.Keys(r.active))
	id := slices.MinFunc(ids, func(a, b string) int {
		return cmp.Or(r.active[a].OrderedAt.Compare(r.active[b].OrderedAt), cmp.Compare(a, b))
	})
	return id, r.active[id].OrderedAt
}

// unseen are the active orders that no page showed.
func (r *round) unseen() []string {
	return r.where(func(_, onPage bool) bool { return !onPage })
}

// changed are the active orders that a page showed to differ.
func (r *round) changed() []string {
	return r.where(func(differs, _ bool) bool { return differs })
}

func (r *round) where(wanted func(differs, onPage bool) bool) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var ids []string
	for _, id := range slices.Sorted(maps.Keys(r.active)) {
		differs, onPage := r.seen[id]
		if wanted(differs, onPage) {
			ids = append(ids, id)
		}
	}
	return ids
}

// heard notes how the service answered one call.
func (r *round) heard(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls++
	switch {
	case err == nil, errors.Is(err, upstream.ErrRateLimited), errors.Is(err, upstream.ErrRefused):
		r.answered = true // busy is not down
	case errors.Is(err, upstream.ErrUnavailable):
		r.outage = true
	}
}

func (r *round) fail(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.errs = append(r.errs, err)
}

// fetch reads the orders in full and records those that differ.
func (r *round) fetch(ctx context.Context, ids []string) {
	each(ids, func(i int) {
		if i >= reads && r.away() {
			return // the first few were enough to know
		}
		if err := r.follow(ctx, ids[i]); err != nil {
			r.fail(fmt.Errorf("order %s: %w", ids[i], err))
		}
	})
}

// away says that the service has answered nothing so far.
func (r *round) away() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.outage && !r.answered
}

// each calls f with every index of items, at most [reads] of them at once.
func each[T any](items []T, f func(i int)) {
	slots := make(chan struct{}, reads)
	var wg sync.WaitGroup
	for i := range items {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			f(i)
		})
	}
	wg.Wait()
}
