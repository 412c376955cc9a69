package metrics

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	"github.com/stretchr/testify/require"

	"darkroom/notifier/poll"
)

// An operator sees what ticks did and cost; one that saw nothing is no good poll.
func TestTheMetricsShowWhatTicksDid(t *testing.T) {
	m, registry := newPolls(), prometheus.NewPedanticRegistry()
	registry.MustRegister(m.all()...)
	m.Observe(poll.Cost{Orders: 7, Pages: 3, Fetches: 2, Changes: 1, Requests: 6, Batches: 1, Took: 20 * time.Millisecond})
	good := m.last.own.Load()
	require.InDelta(t, time.Now().Unix(), good, 60)
	m.Observe(poll.Cost{Orders: 8, Pages: 1, Requests: 1, Batches: 1, Took: time.Second, Failed: 5, Blind: true, Err: errors.New("away")})

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
	require.Equal(t, good, m.last.own.Load(), "a tick that failed is no success")

	problems, err := testutil.GatherAndLint(registry)
	require.NoError(t, err)
	require.InDelta(t, 5, testutil.ToFloat64(m.failed), 0)
	require.Equal(t, []promlint.Problem(nil), problems)
}

// One order that fails at each tick is no reason to say that nobody polls.
func TestATickThatFailedInPartIsAGoodPoll(t *testing.T) {
	m := newPolls()
	m.Observe(poll.Cost{Orders: 7, Failed: 1, Err: errors.New("order o1: refused")})
	require.InDelta(t, time.Now().Unix(), m.last.own.Load(), 60)
	require.InDelta(t, 1, testutil.ToFloat64(m.ticks.WithLabelValues("partial")), 0)
	require.InDelta(t, 1, testutil.ToFloat64(m.failed), 0)
}

// Missed polls are computed from the last good poll of any replica and from the schedule. A night without polls is no
// reason to report one, nor is another replica that polls from now on.
func TestPollsAreMissedAfterThreeThatWereDue(t *testing.T) {
	friday := time.Date(2026, 5, 8, 17, 59, 0, 0, time.Local)
	for name, test := range map[string]struct {
		schedule  string
		own, mark time.Time
		err       error
		last, due time.Time // zero: not shown
	}{
		"by day":                       {schedule: "@every 30s", own: friday, last: friday, due: friday.Add(90 * time.Second)},
		"over the weekend":             {schedule: "* 8-17 * * 1-5", own: friday, last: friday, due: time.Date(2026, 5, 11, 8, 2, 0, 0, time.Local)},
		"another replica polled":       {schedule: "@every 30s", mark: friday, last: friday, due: friday.Add(90 * time.Second)},
		"another one polled before":    {schedule: "@every 30s", own: friday, mark: friday.Add(-time.Hour), last: friday, due: friday.Add(90 * time.Second)},
		"nobody ever polled":           {schedule: "@every 1h", due: friday.Add(3 * time.Hour)},
		"Redis is away":                {schedule: "@every 30s", own: friday, err: errors.New("away"), last: friday, due: friday.Add(90 * time.Second)},
		"Redis is away from the start": {schedule: "@every 30s", err: errors.New("away")},
	} {
		t.Run(name, func(t *testing.T) {
			m := newPolls()
			m.last.began = friday
			if !test.own.IsZero() {
				m.last.own.Store(test.own.Unix())
			}
			schedule, err := poll.ParseSchedule(test.schedule)
			require.NoError(t, err)
			m.Expect(schedule, func(context.Context) (time.Time, error) { return test.mark, test.err })
			registry := prometheus.NewRegistry()
			registry.MustRegister(&m.last)
			is := map[string]float64{}
			families, _ := registry.Gather() // what could not be read is an error of it
			for _, f := range families {
				is[f.GetName()] = f.GetMetric()[0].GetGauge().GetValue()
			}
			want := map[string]float64{}
			for name, at := range map[string]time.Time{"darkroom_poll_last_success_timestamp_seconds": test.last, "darkroom_poll_expected_timestamp_seconds": test.due} {
				if !at.IsZero() {
					want[name] = float64(at.Unix())
				}
			}
			require.Equal(t, want, is)
		})
	}
}
