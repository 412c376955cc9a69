package notifier_test

import (
	"context"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/notifier"
)

// replica is a poller that runs, and when it ticked.
type replica struct {
	s      *studio
	p      *notifier.Poller
	cancel context.CancelFunc
	done   chan error
}

func startReplica(t *testing.T, l *oneKeyLock, name, schedule string) *replica {
	t.Helper()
	s := studioOf(1)
	p := newPoller(t, notifier.PollerConfig{Service: s, Store: following(s, 0), Lock: key{l, name}, Schedule: schedule})
	ctx, cancel := context.WithCancel(t.Context())
	r := &replica{s: s, p: p, cancel: cancel, done: make(chan error, 1)}
	go func() { r.done <- p.Run(ctx) }()
	synctest.Wait()
	return r
}

func (r *replica) stop(t *testing.T) {
	t.Helper()
	r.cancel()
	require.NoError(t, <-r.done)
}

func after(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

func TestOneReplicaPollsAtATime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := &oneKeyLock{}
		a := startReplica(t, l, "a", "@every 10s")
		b := startReplica(t, l, "b", "@every 10s")
		require.Len(t, a.s.asked(), 1, "a term begins with a tick")
		after(time.Minute)
		require.Len(t, a.s.asked(), 6)
		require.Empty(t, b.s.asked())
		require.True(t, a.p.Elected())
		require.False(t, b.p.Elected())
		a.stop(t)
		require.False(t, a.p.Elected())
		b.stop(t)
	})
}

func TestAnotherReplicaTakesOverWithinFiveSecondsOfADeath(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := &oneKeyLock{}
		held, err := key{l, "dead"}.Hold(t.Context())
		require.True(t, held)
		require.NoError(t, err)
		b := startReplica(t, l, "b", "@every 1h")
		require.Empty(t, b.s.asked())
		after(5*time.Second - time.Millisecond)
		require.Len(t, b.s.asked(), 1)
		b.stop(t)
	})
}

func TestShutdownHandsThePollingOverAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := &oneKeyLock{}
		a := startReplica(t, l, "a", "@every 1h")
		b := startReplica(t, l, "b", "@every 1h")
		a.stop(t)
		after(time.Second)
		require.Len(t, b.s.asked(), 1)
		b.stop(t)
	})
}

func TestALockThatDoesNotAnswerEndsTheTermWithItsLease(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := &oneKeyLock{}
		a := startReplica(t, l, "a", "@every 1s")
		l.silence(true)
		after(3500 * time.Millisecond)
		require.NotEmpty(t, a.s.asked())
		after(time.Second)
		a.s.asked()
		after(time.Minute)
		require.Empty(t, a.s.asked(), "another replica may poll by now")
		l.silence(false)
		after(2 * time.Second)
		require.NotEmpty(t, a.s.asked())
		l.silence(true)
		a.stop(t)
	})
}

func TestALostLockEndsTheRunningTick(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := &oneKeyLock{}
		s := &endlessStudio{}
		n := following(studioOf(1), 0)
		p := newPoller(t, notifier.PollerConfig{Service: s, Store: n, Lock: key{l, "a"}, Schedule: "@every 1s"})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- p.Run(ctx) }()
		after(10 * time.Second)
		require.Equal(t, 1, s.started, "a tick never overlaps itself")
		require.Zero(t, s.ended)
		l.steal("b")
		after(time.Second)
		require.Equal(t, 1, s.ended)
		cancel()
		require.NoError(t, <-done)
	})
}

// A tick of a hundred orders takes a little more than a second at five calls a second: the next one must
// not be left out.
func TestATickThatComesDueWhileOneRunsBeginsWhenThatEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := studioOf(1)
		var ticks []time.Time
		s.fetching = func() {
			ticks = append(ticks, time.Now())
			<-time.After(1100 * time.Millisecond)
		}
		p := newPoller(t, notifier.PollerConfig{Service: s, Store: following(s, 0), Lock: key{&oneKeyLock{}, "a"}, Schedule: "@every 1s"})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- p.Run(ctx) }()
		after(10500 * time.Millisecond)
		cancel()
		require.NoError(t, <-done)
		require.Len(t, ticks, 10)
		for i := range ticks[1:] {
			require.Equal(t, 1100*time.Millisecond, ticks[i+1].Sub(ticks[i]), "one after the other")
		}
	})
}

// opaque is a context that the context package does not know: each context derived from it has a goroutine
// of its own, until it is cancelled.
type opaque struct{ context.Context }

func (opaque) Value(any) any { return nil }

func TestATickThatEndedLeavesNothingBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := studioOf(1)
		p := newPoller(t, notifier.PollerConfig{Service: s, Store: following(s, 0), Lock: key{&oneKeyLock{}, "a"}, Schedule: "@every 1s"})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- p.Run(opaque{ctx}) }()
		after(10 * time.Second)
		early := runtime.NumGoroutine()
		after(100 * time.Second)
		require.GreaterOrEqual(t, len(s.asked()), 100)
		require.Less(t, runtime.NumGoroutine(), early+10)
		cancel()
		require.NoError(t, <-done)
	})
}
