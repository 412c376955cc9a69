package notifier

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

// Lease is how long the poller's lock outlives its last renewal, and renewEvery is
// how often every replica asks for it: when the holder dies another one polls
// within their sum, under five seconds.
//
// The holder itself counts on less. It looks at its lease every renewEvery, so it may notice the end that much later, and
// its polls take a moment to stop: both happen within Lease, before another replica can begin.
const (
	Lease      = 3 * time.Second
	renewEvery = Lease / 8
	ownLease   = Lease - 2*renewEvery
)

// Lock is held by at most one replica at a time.
type Lock interface {
	// Hold acquires or renews, and says whether the lock is ours.
	Hold(ctx context.Context) (bool, error)
	// Release gives the lock up at once, if it is ours.
	Release(ctx context.Context) error
}

// Run polls on schedule, and once at the start of each term as the elected
// replica, until ctx ends. Then the tick that runs is cut short and the lock
// released, so that another replica can go on at once.
func (p *Poller) Run(ctx context.Context) error {
	if p.schedule == nil {
		return errors.New("a poller without a schedule has no run of its own")
	}
	t := &term{poller: p, lease: lease{lock: p.Lock}, cancel: func() {}, ended: make(chan struct{}, 1)}
	defer t.release(context.WithoutCancel(ctx))
	beats := time.NewTicker(renewEvery)
	defer beats.Stop()
	next := time.NewTimer(p.untilNext())
	defer next.Stop()
	t.renew(ctx)
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-beats.C:
			t.renew(ctx)
		case <-next.C:
			t.tick(ctx)
			next.Reset(p.untilNext())
		case <-t.ended:
			t.makeUp(ctx)
		}
	}
}

// untilNext is how long until a tick is due.
func (p *Poller) untilNext() time.Duration {
	now := time.Now()
	return p.schedule.Next(now).Sub(now)
}

// lease is what this replica has of a lock.
type lease struct {
	lock  Lock
	until time.Time // when this replica stops, if no renewal comes before; zero: the lock is not ours
}

func (l *lease) held() bool { return !l.until.IsZero() }

// renew takes or keeps the lock. A lock that does not answer, which is told, is ours for [ownLease],
// counted from before the last renewal was asked for.
func (l *lease) renew(ctx context.Context) error {
	asked := time.Now()
	held, err := l.ask(ctx)
	switch {
	case err != nil && time.Now().Before(l.until):
	case err != nil || !held:
		l.until = time.Time{}
	default:
		l.until = asked.Add(ownLease)
	}
	return err
}

func (l *lease) ask(ctx context.Context) (bool, error) {
	wait := Lease / 2
	if left := time.Until(l.until); l.held() {
		wait = min(wait, left) // who waits longer polls on under a lease that is over
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	return l.lock.Hold(ctx)
}

// term is this replica's time in office. It belongs to Run's goroutine.
type term struct {
	lease
	poller *Poller
	busy   atomic.Bool        // a tick runs
	owed   bool               // another came due meanwhile
	ended  chan struct{}      // a tick has ended; at most one is noted
	cancel context.CancelFunc // cuts it short
	ticks  sync.WaitGroup
}

// renew takes or keeps the lock, and begins or ends the term.
func (t *term) renew(ctx context.Context) {
	elected := !t.held()
	err := t.lease.renew(ctx)
	if !t.held() {
		t.resign()
		return
	}
	if err != nil {
		t.poller.Log.WarnContext(ctx, "poller lock not renewed", "err", err)
	}
	t.poller.elected.Store(true)
	if elected {
		t.poller.Log.InfoContext(ctx, "this replica polls")
		t.tick(ctx)
	}
}

// tick starts a tick in the background, unless this replica is not elected. While one still runs it
// is owed: to wait for the next time on the schedule would look half as often as was asked for when a
// tick takes a little longer than that.
func (t *term) tick(ctx context.Context) {
	if !t.held() {
		return
	}
	if !t.busy.CompareAndSwap(false, true) {
		t.owed = true
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	t.cancel = cancel
	t.ticks.Go(func() {
		defer t.end()
		defer cancel()
		err := contained(ctx, t.poller.Log, func() error { return t.poller.Tick(ctx) })
		if err != nil && ctx.Err() == nil {
			t.poller.Log.WarnContext(ctx, "poll failed", "err", err)
		}
	})
}

func (t *term) end() {
	t.busy.Store(false)
	select {
	case t.ended <- struct{}{}:
	default:
	}
}

// makeUp starts the tick that came due while another ran.
func (t *term) makeUp(ctx context.Context) {
	if t.owed {
		t.owed = false
		t.tick(ctx)
	}
}

// resign stops the running tick and waits for it: two replicas never poll at once.
func (t *term) resign() {
	t.until, t.owed = time.Time{}, false
	t.poller.elected.Store(false)
	t.cancel()
	t.ticks.Wait()
}

func (t *term) release(ctx context.Context) {
	t.resign()
	ctx, cancel := context.WithTimeout(ctx, Lease/2)
	defer cancel()
	if err := t.lock.Release(ctx); err != nil {
		t.poller.Log.WarnContext(ctx, "poller lock not released", "err", err)
	}
}
