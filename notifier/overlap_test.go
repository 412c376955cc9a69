package notifier_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/notifier"
	"darkroom/order"
)

// stubborn is a service whose calls take their time, whatever becomes of who asked. All
// replicas ask the same one.
type stubborn struct {
	mu        sync.Mutex
	takes     time.Duration
	heeds     bool           // but ends a call that nobody waits for any more
	underWay  map[string]int // calls, by replica
	together  bool           // two replicas had calls under way at once
	lastEnded time.Time
}

// as is the service as one replica sees it.
type as struct {
	s    *stubborn
	name string
}

func (a as) List(ctx context.Context, _ order.Filter) (order.Page, error) {
	return order.Page{}, a.call(ctx)
}

func (a as) Fetch(ctx context.Context, _ string) (order.Order, error) {
	return order.Order{}, a.call(ctx)
}

func (a as) call(ctx context.Context) error {
	s := a.s
	if !s.heeds {
		ctx = context.WithoutCancel(ctx)
	}
	s.mu.Lock()
	for name, n := range s.underWay {
		s.together = s.together || name != a.name && n > 0
	}
	s.underWay[a.name]++
	s.mu.Unlock()
	select {
	case <-time.After(s.takes):
	case <-ctx.Done():
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.underWay[a.name]--
	s.lastEnded = time.Now()
	return errors.New("it took too long")
}

func (s *stubborn) runs(ctx context.Context, t *testing.T, lock notifier.Lock, name string) chan error {
	t.Helper()
	n := following(studioOf(1), 0)
	p := newPoller(t, notifier.PollerConfig{Service: as{s, name}, Store: n, Lock: lock, Schedule: "@every 1s"})
	done := make(chan error, 1)
	go func() { done <- p.Run(ctx) }()
	synctest.Wait()
	return done
}

func TestWhoResignsWaitsForItsTickBeforeAnotherMayPoll(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := &oneKeyLock{}
		s := &stubborn{takes: 2 * time.Second, underWay: map[string]int{}}
		ctx, stop := context.WithCancel(t.Context())
		first := s.runs(ctx, t, key{l, "a"}, "a")
		later, end := context.WithCancel(t.Context())
		second := s.runs(later, t, key{l, "b"}, "b")
		after(100 * time.Millisecond)
		stop()
		require.NoError(t, <-first)
		require.Zero(t, s.calls("a"), "nothing of it is under way")
		after(5 * time.Second)
		end()
		require.NoError(t, <-second)
		require.False(t, s.together)
	})
}

// calls is how many calls of a replica are under way.
func (s *stubborn) calls(name string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.underWay[name]
}

// ended is when the last call ended; zero: none did.
func (s *stubborn) ended() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lastEnded
}

// slowLock answers late, and then not at all: its keeper counted from when it was asked.
type slowLock struct {
	mu    sync.Mutex
	takes time.Duration
	held  time.Time // when the last renewal came to pass
	dead  bool
}

func (l *slowLock) Hold(ctx context.Context) (bool, error) {
	l.mu.Lock()
	dead := l.dead
	if !dead {
		l.held = time.Now()
	}
	l.mu.Unlock()
	if dead {
		<-ctx.Done()
		return false, ctx.Err()
	}
	<-time.After(l.takes)
	return true, nil
}

func (l *slowLock) Release(context.Context) error { return nil }

// dies makes it answer nothing from now on, and returns when it was last held.
func (l *slowLock) dies() (held time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.dead = true
	return l.held
}

func TestALeaseIsCountedFromWhenItWasAskedFor(t *testing.T) {
	t.Parallel()
	for name, takes := range map[string]time.Duration{"slow answers": 1400 * time.Millisecond, "quick answers": 0} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := &slowLock{takes: takes}
				s := &stubborn{takes: time.Hour, heeds: true, underWay: map[string]int{}} // one tick that never ends
				ctx, stop := context.WithCancel(t.Context())
				defer stop()
				done := s.runs(ctx, t, l, "a")
				after(10 * time.Second)
				held := l.dies()
				after(time.Minute)
				require.False(t, s.ended().IsZero(), "the tick was ended")
				require.LessOrEqual(t, s.ended().Sub(held), notifier.Lease, "another may have the lock by then")
				stop()
				require.NoError(t, <-done)
			})
		})
	}
}
