package metrics

import (
	"errors"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	"github.com/stretchr/testify/require"

	"darkroom/notifier"
)

// An operator sees what ticks did and cost; one that saw nothing is no good poll.
func TestTheMetricsShowWhatTicksDid(t *testing.T) {
	m, registry := newPolls(), prometheus.NewPedanticRegistry()
	registry.MustRegister(m.all()...)
	m.Observe(notifier.Cost{Orders: 7, Pages: 3, Fetches: 2, Changes: 1, Turns: 6, Batches: 1, Took: 20 * time.Millisecond})
	good := testutil.ToFloat64(m.success)
	require.InDelta(t, time.Now().Unix(), good, 60)
	m.Observe(notifier.Cost{Orders: 8, Pages: 1, Turns: 1, Batches: 1, Took: time.Second, Failed: 5, Blind: true, Err: errors.New("away")})

	for name, is := range map[string]float64{
		"ok": testutil.ToFloat64(m.ticks.WithLabelValues("ok")), "error": testutil.ToFloat64(m.ticks.WithLabelValues("error")),
	} {
		require.InDelta(t, 1, is, 0, name)
	}
	require.InDelta(t, 4, testutil.ToFloat64(m.calls.WithLabelValues("list")), 0)
	require.InDelta(t, 2, testutil.ToFloat64(m.calls.WithLabelValues("fetch")), 0)
	require.InDelta(t, 7, testutil.ToFloat64(m.requests), 0)
	require.InDelta(t, 2, testutil.ToFloat64(m.batches), 0)
	require.InDelta(t, 1, testutil.ToFloat64(m.changes), 0)
	require.InDelta(t, 8, testutil.ToFloat64(m.orders), 0)
	require.InDelta(t, good, testutil.ToFloat64(m.success), 0, "a tick that failed is no success")

	problems, err := testutil.GatherAndLint(registry)
	require.NoError(t, err)
	require.InDelta(t, 5, testutil.ToFloat64(m.failed), 0)
	require.Equal(t, []promlint.Problem(nil), problems)
}

// One order that fails at each tick is no reason to say that nobody polls.
func TestATickThatFailedInPartIsAGoodPoll(t *testing.T) {
	m := newPolls()
	m.Observe(notifier.Cost{Orders: 7, Failed: 1, Err: errors.New("order o1: refused")})
	require.InDelta(t, time.Now().Unix(), testutil.ToFloat64(m.success), 60)
	require.InDelta(t, 1, testutil.ToFloat64(m.ticks.WithLabelValues("partial")), 0)
	require.InDelta(t, 1, testutil.ToFloat64(m.failed), 0)
}
