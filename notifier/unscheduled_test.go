package notifier_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/notifier"
	"darkroom/order"
	"darkroom/store"
)

// Only a service that answers nothing is asked less often: not one that refuses, not one with a single order that
// fails, and none because of Redis.
func TestATickSaysThatTheServiceDoesNotAnswer(t *testing.T) {
	t.Parallel()
	down := fmt.Errorf("timeout: %w", order.ErrUnavailable)
	for name, test := range map[string]struct {
		trouble func(s *studio, n *notebook)
		want    bool
	}{
		"down":             {func(s *studio, _ *notebook) { s.refuses = down }, true},
		"no list":          {func(s *studio, _ *notebook) { s.noList = down }, false},
		"refused":          {func(s *studio, _ *notebook) { s.refuses = order.ErrRefused }, false},
		"one order fails":  {func(s *studio, _ *notebook) { s.hidden["o1"], s.broken["o1"] = true, down }, false},
		"Redis is away":    {func(_ *studio, n *notebook) { n.dead = errors.New("away") }, false},
		"no turn came":     {func(s *studio, _ *notebook) { s.refuses = errors.Join(down, store.ErrNoTurn) }, false},
		"nothing is wrong": {func(*studio, *notebook) {}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := studioOf(5)
			n := following(s, upTo(5)...)
			test.trouble(s, n)
			err := newPoller(t, notifier.PollerConfig{Service: s, Store: n}).Tick(t.Context())
			require.Equal(t, test.want, errors.Is(err, notifier.ErrNoAnswer), "%v", err)
			if test.want {
				require.ErrorIs(t, err, order.ErrUnavailable)
			}
		})
	}
}

// A workspace without active orders is ticked every ten minutes, by a poller that is made for it: its finished orders
// are looked after all the same.
func TestThePollerOfRoundsLooksAfterFinishedOrdersAtItsFirstTick(t *testing.T) {
	t.Parallel()
	r := &tended{notebook: following(studioOf(0)), keep: make([]store.Retention, 2)} // with nothing more to do
	p := notifier.NewUnscheduled(notifier.PollerConfig{Service: studioOf(0), Store: r, Retention: store.Retention{Full: time.Hour}})
	require.NoError(t, p.Tick(t.Context()))
	require.Len(t, r.keep, 3)
	require.NoError(t, p.Tick(t.Context()))
	require.Len(t, r.keep, 3)
	require.Error(t, p.Run(t.Context()), "it has no schedule")
}
