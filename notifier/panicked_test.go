package notifier_test

import (
	"bytes"
	"context"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/notifier"
	"darkroom/order"
)

// A mistake in the program that is met at one order, or at a page, costs no other order its news; and the log has where
// it is.
func TestAMistakeAtOneOrderCostsNoOtherItsNews(t *testing.T) {
	t.Parallel()
	for call, recorded := range map[string][]string{"fetch o0": {"o1 reviewing"}, "list 1": {"o0 reviewing", "o1 reviewing"}} {
		t.Run(call, func(t *testing.T) {
			t.Parallel()
			s := studioOf(3)
			n := following(s, 0, 1)
			s.set("o0", order.StatusReviewing, 0)
			s.set("o1", order.StatusReviewing, 0)
			var log bytes.Buffer
			var cost notifier.Cost
			p := newPoller(t, notifier.PollerConfig{
				Service: s, Store: n, Log: slog.New(slog.NewTextHandler(&log, nil)), Observe: func(c notifier.Cost) { cost = c },
			})
			s.mistake = call
			require.ErrorContains(t, p.Tick(t.Context()), "a mistake in the program")
			require.ElementsMatch(t, recorded, n.recorded)
			require.Equal(t, call == "list 1", cost.Blind)
			require.Contains(t, log.String(), "poll panicked")
			require.Contains(t, log.String(), "fakes_test.go", "where it is")
			s.mistake = ""
			require.NoError(t, p.Tick(t.Context()))
			require.ElementsMatch(t, []string{"o0 reviewing", "o1 reviewing"}, n.recorded, "the next tick goes on")
		})
	}
}

// A mistake elsewhere in a tick ends that tick alone.
func TestTheReplicaPollsOnAfterATickThatPanicked(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s, ticks := studioOf(1), 0
		p := newPoller(t, notifier.PollerConfig{
			Service: s, Store: following(s, 0), Lock: key{&oneKeyLock{}, "a"}, Schedule: "@every 30s",
			Observe: func(notifier.Cost) {
				if ticks++; ticks == 2 {
					panic("a mistake in the program")
				}
			},
		})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- p.Run(ctx) }()
		after(2 * time.Minute)
		cancel()
		require.NoError(t, <-done)
		require.Equal(t, 5, ticks)
	})
}

// One workspace whose polls meet a mistake in the program takes none from the others, and is polled again itself.
func TestAMistakeInOneWorkspacesPollTakesNothingFromTheOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFleet(50, 20*time.Millisecond)
		f.set(7, func(m *member) { m.takes = func(context.Context) error { panic("a mistake in the program") } })
		v := setOff(t, roundsOf(f, "@every 30s"))
		<-time.After(10 * time.Second)
		for i := range 50 {
			f.polled(i)
		}
		<-time.After(4 * 30 * time.Second)
		v.stop(t)
		for i := range 50 {
			require.InDelta(t, 4, len(f.polled(i)), 1, "workspace %d", i)
		}
		f.requireOnce(t)
	})
}
