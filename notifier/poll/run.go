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

// reads is how many calls to the service one poll has under way at once.
const reads = 8

// pollRun is one poll of the service.
type pollRun struct {
	poller  *Poller
	tracked *trackedOrders
	asking  context.Context //nolint:containedctx // of the calls to the service: it ends when that does not answer in time
	leave   func()          // ends it
	active  int             // how many orders can change
	since   time.Time       // when the first of the active ones was missed, else when the poll began

	unknown bool // the operations channel knows that the service may not know our orders
	down    bool // it knows that the service is down
	waited  bool // a new order waits for it
	cutoff  pagingCutoff

	mu       sync.Mutex           // guards the rest, and the marks of the cache, while calls run side by side
	known    int                  // orders that the service knew, on a page or when asked for
	older    int                  // how many of them count as proof, see isOlder
	missed   map[string]time.Time // ids that it did not know when asked for, and since when
	answered bool                 // the service answered at least one
	outage   bool                 // at least one read found it unavailable
	cost     Cost
	errs     []error
}

// errSilent ends the calls to a service that did not answer the first of them in time.
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

// awaitAnswer ends all calls when the service has been asked and has answered none in time. Until this workspace may ask,
// because others with the same account come first, no time counts. The returned function ends the waiting.
func (r *pollRun) awaitAnswer(ctx context.Context) (leave func()) {
	asking, end := context.WithCancelCause(ctx)
	r.asking = asking
	var turns int64
	if r.poller.Turns != nil {
		turns, _ = r.poller.Turns.Taken()
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

// answerCheck is how often awaitAnswer checks.
const answerCheck = time.Second

// allowed reports whether a turn was taken since there were so many.
func (r *pollRun) allowed(turns int64) bool {
	if r.poller.Turns == nil {
		return true
	}
	now, _ := r.poller.Turns.Taken()
	return now > turns
}

// load reads what earlier polls saved, on whichever replica.
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

// missing says that an order can change, that no page showed it, and that nobody asked for it.
func (o *trackedOrder) missing() bool {
	return !o.known.Gone && o.marks&(onPage|asked|skipped) == 0
}

// unseen are the active orders that no page showed and nobody asked for.
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

// entry is what is known of an order, active or gone.
func (r *pollRun) entry(id string) (a store.Active) {
	if o := r.tracked.find(id); o != nil {
		a = o.known
	}
	return a
}

// mark notes what was learned of an order.
func (r *pollRun) mark(id string, m marks) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if o := r.tracked.find(id); o != nil {
		r.note(o, m)
	}
}

// note is mark for who holds the lock.
func (r *pollRun) note(o *trackedOrder, m marks) {
	if m&knew != 0 && !o.has(knew) {
		r.known++
		if r.predates(o) {
			r.older++
		}
	}
	o.marks |= m
}

// observe records how the service answered one call.
func (r *pollRun) observe(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case errors.Is(err, ratelimit.ErrNoSlot): // it was not asked
	case err == nil, errors.Is(err, order.ErrRateLimited), errors.Is(err, order.ErrRefused):
		r.answered = true // busy is not down
	case errors.Is(err, order.ErrUnavailable), errors.Is(context.Cause(r.asking), errSilent):
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
// them, so that the same ones are not always the last when polls are cut short.
func (r *pollRun) fetch(ctx context.Context, ids []string) {
	ids = rotated(ids)
	few := min(reads, len(ids))
	each(ids[:few], func(id string) { r.fetchOne(ctx, id) })
	if r.away() {
		return // the first few were enough to know
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

// away says that the service has answered nothing so far.
func (r *pollRun) away() bool {
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
	_ = calls.Wait() // f tells of its errors itself
}
