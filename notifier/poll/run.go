package poll

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"darkroom/order"
	"darkroom/store"
	"darkroom/store/ratelimit"
)

// reads is how many calls of one poll run at once.
const reads = 8

// pollRun is the state of one poll.
type pollRun struct {
	poller  *Poller
	tracked *trackedOrders
	asking  context.Context //nolint:containedctx // context of the calls: it ends if the service does not answer in time
	leave   func()          // ends asking
	active  int             // number of active orders
	since   time.Time       // time of the first miss of an active order, else the start of the poll

	unknown bool // unknownNote exists
	down    bool // downNote exists
	waited  bool // a new order waits for the service
	cutoff  pagingCutoff

	mu       sync.Mutex           // guards the rest and the cache's marks during concurrent calls
	known    int                  // orders that the service knew, on a page or by id
	older    int                  // how many of them are older than the first miss, see isOlder
	missed   map[string]time.Time // orders that the service did not know, with the time of the first miss
	answered bool                 // the service answered at least one call
	outage   bool                 // at least one call found the service unavailable
	cost     Cost
	errs     []error
}

// errSilent ends the calls to a service that gave no first answer in time.
var errSilent = errors.New("no answer in time")

func (p *Poller) newRun(ctx context.Context) *pollRun {
	r := &pollRun{poller: p, tracked: &p.tracked, since: time.Now(), missed: map[string]time.Time{}}
	r.leave = r.awaitAnswer(ctx)
	for i := range r.tracked.orders {
		a := &r.tracked.orders[i].known
		if a.Gone {
			continue
		}
		r.active++
		if !a.Missed.IsZero() && a.Missed.Since.Before(r.since) {
			r.since = a.Missed.Since
		}
	}
	return r
}

// awaitAnswer ends all calls if the service does not answer the first one in time. Time counts only once
// the rate limit lets a call through. The returned function ends the wait.
func (r *pollRun) awaitAnswer(ctx context.Context) (leave func()) {
	asking, end := context.WithCancelCause(ctx)
	r.asking = asking
	var turns int64
	if r.poller.Slots != nil {
		turns, _ = r.poller.Slots.Taken()
	}
	wait, asked := r.poller.answerWait(), time.Time{}
	var timer *time.Timer
	r.mu.Lock()
	defer r.mu.Unlock()
	timer = time.AfterFunc(answerCheck, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if asked.IsZero() && r.allowed(turns) {
			asked = time.Now().Add(-answerCheck)
		}
		switch {
		case r.answered || asking.Err() != nil:
		case !asked.IsZero() && time.Since(asked) >= wait:
			end(errSilent)
		default:
			timer.Reset(answerCheck)
		}
	})
	return func() {
		timer.Stop()
		end(nil)
	}
}

// answerCheck is the interval of awaitAnswer's checks.
const answerCheck = time.Second

// allowed reports whether the rate limit let a call through since the count was turns.
func (r *pollRun) allowed(turns int64) bool {
	if r.poller.Slots == nil {
		return true
	}
	now, _ := r.poller.Slots.Taken()
	return now > turns
}

// load reads what earlier polls saved, on any replica.
func (r *pollRun) load(ctx context.Context) error {
	var crossed time.Time
	notes := map[string]any{unknownNote: new(time.Time), downNote: new(time.Time), store.PlacingWaits: new(time.Time)}
	if r.poller.Credits.on() {
		notes[crossedNote] = &crossed
	}
	there, err := r.poller.Store.Documents.GetMany(ctx, notes)
	r.waited = there[store.PlacingWaits]
	r.unknown, r.down, r.poller.credits.crossed = there[unknownNote], there[downNote], crossed
	r.useCutoff()
	return err
}

// missing reports whether an active order was neither shown by a page nor requested.
func (o *trackedOrder) missing() bool {
	return !o.known.Gone && o.marks&(onPage|asked|skipped) == 0
}

// unseen returns the active orders that are missing, sorted.
func (r *pollRun) unseen() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var ids []string
	for i := range r.tracked.orders {
		if o := &r.tracked.orders[i]; o.missing() {
			ids = append(ids, o.id)
		}
	}
	slices.Sort(ids)
	return ids
}

// entry returns the known state of an order, active or gone.
func (r *pollRun) entry(id string) (a store.Active) {
	if o := r.tracked.find(id); o != nil {
		a = o.known
	}
	return a
}

// mark adds a mark to an order.
func (r *pollRun) mark(id string, m marks) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if o := r.tracked.find(id); o != nil {
		r.note(o, m)
	}
}

// note is mark with the lock held.
func (r *pollRun) note(o *trackedOrder, m marks) {
	if m&knew != 0 && !o.has(knew) {
		r.known++
		if r.predates(o) {
			r.older++
		}
	}
	o.marks |= m
}

// observe records how the service answered a call.
func (r *pollRun) observe(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case errors.Is(err, ratelimit.ErrNoSlot): // no call was made
	case err == nil, errors.Is(err, order.ErrRateLimited), errors.Is(err, order.ErrRefused):
		r.answered = true // a refusal is an answer
	case errors.Is(err, order.ErrUnavailable), errors.Is(context.Cause(r.asking), errSilent):
		r.outage = true
	}
}

func (r *pollRun) fail(err error) {
	r.locked(func() { r.errs = append(r.errs, err) })
}

// locked changes shared state under the lock.
func (r *pollRun) locked(change func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change()
}

// fetch fetches orders in full and records those that differ. It starts at a random one, so that an
// interrupted poll does not always miss the same orders.
func (r *pollRun) fetch(ctx context.Context, ids []string) {
	ids = rotated(ids)
	few := min(reads, len(ids))
	each(ids[:few], func(id string) { r.fetchOne(ctx, id) })
	if r.serviceDown() {
		return // the service is down
	}
	each(ids[few:], func(id string) { r.fetchOne(ctx, id) })
}

// fetchOne is fetch for one order.
func (r *pollRun) fetchOne(ctx context.Context, id string) {
	if ctx.Err() != nil || r.knowsNone() && r.isOlder(id) {
		return
	}
	r.mark(id, asked)
	err := contained(ctx, r.poller.Log.With("order", id), func() error { return r.follow(ctx, id) })
	if err != nil {
		r.fail(fmt.Errorf("order %s: %w", id, err))
		r.locked(func() { r.cost.Failed++ })
	}
}

func rotated(ids []string) []string {
	first := rand.IntN(max(len(ids), 1))
	return slices.Concat(ids[first:], ids[:first])
}

// serviceDown reports whether the service has answered nothing so far.
func (r *pollRun) serviceDown() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.outage && !r.answered
}

// each calls f with every item, at most [reads] of them at once.
func each[T any](items []T, f func(item T)) {
	var calls errgroup.Group
	calls.SetLimit(reads)
	for _, item := range items {
		calls.Go(func() error {
			f(item)
			return nil
		})
	}
	_ = calls.Wait() // f handles its own errors
}
