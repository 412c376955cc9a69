package poll

import (
	"context"
	"errors"
	"time"

	"darkroom/order"
	"darkroom/store"
)

// staleTries bounds how often one poll refetches an order that others change concurrently. The next poll
// continues.
const staleTries = 3

// follow fetches one order in full and records it if it differs from the known state. A summary is not
// enough: it has no images.
func (r *pollRun) follow(ctx context.Context, id string) error {
	known := r.entry(id)
	for range staleTries {
		asked := time.Now()
		o, err := r.ask(id)
		if errors.Is(err, order.ErrInvalidOrder) {
			return untracked(r.miss(ctx, id))
		}
		if err != nil {
			return err
		}
		r.mark(id, knew)
		if !known.Differs(o) {
			return nil
		}
		found := r.poller.changed(ctx, id, asked)
		_, news, err := r.poller.Store.Changes.Record(found, id, known.Version, o)
		if len(news) > 0 {
			r.locked(func() { r.cost.Changes++ })
			r.poller.recorded(found, id, news)
		}
		if !errors.Is(err, store.ErrStale) {
			return untracked(err)
		}
		// The refetched order merges into the newer state. Without a change nothing is written.
		newer, err := r.poller.Store.Orders.Order(ctx, id)
		if err != nil {
			return untracked(err)
		}
		known = store.Active{Version: newer.Version}
	}
	return store.ErrStale
}

func (r *pollRun) isKnown(id string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	o := r.tracked.find(id)
	return o != nil && o.has(knew)
}

// ask requests one order from the service.
func (r *pollRun) ask(id string) (order.Order, error) {
	r.locked(func() { r.cost.Fetches++ })
	o, err := r.poller.Service.Fetch(r.asking, id)
	r.observe(err)
	return o, err
}

// miss notes that the service does not know an order. It records the miss only every missEvery, so an
// unchanged situation costs few writes.
func (r *pollRun) miss(ctx context.Context, id string) error {
	if r.isKnown(id) {
		return nil // a page showed it: the service's own order lags behind
	}
	entry := r.entry(id)
	m, now := entry.Missed, time.Now()
	if entry.Gone || now.Sub(m.Last) >= missEvery {
		var err error
		if m, err = r.poller.Store.Changes.Missed(ctx, id, now); err != nil {
			return err
		}
	}
	if entry.Gone {
		return nil
	}
	r.locked(func() { r.missed[id] = m.Since })
	return nil
}

// untracked ignores the error of an order that was removed meanwhile.
func untracked(err error) error {
	if errors.Is(err, store.ErrNotTracked) {
		return nil
	}
	return err
}
