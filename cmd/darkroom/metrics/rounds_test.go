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

func TestTheMetricsShowHowRoundsGo(t *testing.T) {
	m, registry := newRounds(), prometheus.NewPedanticRegistry()
	registry.MustRegister(m.all()...)
	m.Observe(notifier.Visit{Workspace: "T1", Late: 3 * time.Second})
	m.Observe(notifier.Visit{Workspace: "T2", Err: errors.New("away")})
	m.Observe(notifier.Visit{Workspace: "T3", Slow: true, Cut: true, Err: errors.New("cut short")})
	for outcome, labels := range map[string][2]string{"ok": {"quick", "ok"}, "failed": {"quick", "failed"}, "cut": {"slow", "cut"}} {
		require.InDelta(t, 1, testutil.ToFloat64(m.polls.WithLabelValues(labels[0], labels[1])), 0, outcome)
	}
	require.InDelta(t, 0, testutil.ToFloat64(m.polls.WithLabelValues("slow", "ok")), 0)
	problems, err := testutil.GatherAndLint(registry)
	require.NoError(t, err)
	require.Equal(t, []promlint.Problem(nil), problems)
}

func TestTheMetricsShowWhereTheRoundsAre(t *testing.T) {
	m := &Metrics{registry: prometheus.NewPedanticRegistry()}
	m.Where(func() notifier.Where {
		return notifier.Where{Shards: 1, Workspaces: 2, Slow: 3, Polls: 4, SlowPolls: 9, Waiting: 5, Late: 6 * time.Second, Kept: 7}
	})
	families, err := m.registry.Gather()
	require.NoError(t, err)
	is := map[string]float64{}
	for _, f := range families {
		is[f.GetName()] = f.GetMetric()[0].GetGauge().GetValue()
	}
	require.Equal(t, map[string]float64{
		"darkroom_round_shards": 1, "darkroom_round_workspaces": 2, "darkroom_round_slow_workspaces": 3, "darkroom_round_running_polls": 4,
		"darkroom_round_waiting": 5, "darkroom_round_wait_seconds": 6, "darkroom_round_kept_pollers": 7,
	}, is)
}
