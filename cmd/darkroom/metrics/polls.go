package metrics

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"darkroom/notifier/poll"
)

// Polls counts the ticks of this replica's poller.
type Polls struct {
	late     prometheus.Histogram
	duration prometheus.Histogram
	ticks    *prometheus.CounterVec
	calls    *prometheus.CounterVec
	requests prometheus.Counter
	batches  prometheus.Counter
	changes  prometheus.Counter
	orders   prometheus.Gauge
	failed   prometheus.Gauge
	last     lastPoll
}

func newPolls() *Polls {
	m := &Polls{
		late:     histogram("darkroom_poll_late_seconds", "How long after it was due a poll began.", 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900),
		duration: histogram("darkroom_poll_duration_seconds", "How long a tick took.", prometheus.ExponentialBuckets(0.01, 3, 11)...),
		ticks:    counters("darkroom_polls_total", "Ticks of this replica, by how they ended.", "outcome"),
		calls:    counters("darkroom_poll_calls_total", "What ticks asked the service for.", "kind"),
		requests: counter("darkroom_poll_requests_total", "Requests of ticks to the service, those that were sent again counted."),
		batches:  counter("darkroom_poll_batches_total", "Batches in which their turns came from Redis."),
		changes:  counter("darkroom_poll_changes_total", "Orders that a tick found changed."),
		orders:   gauge("darkroom_poll_orders", "Orders that can change, at the last tick."),
		failed:   gauge("darkroom_poll_failed_orders", "Orders that could not be read or recorded at the last tick."),
		last:     lastPoll{began: time.Now()},
	}
	for _, outcome := range []string{"ok", "partial", "error"} {
		m.ticks.WithLabelValues(outcome)
	}
	for _, kind := range []string{"list", "fetch"} {
		m.calls.WithLabelValues(kind)
	}
	return m
}

func (m *Polls) all() []prometheus.Collector {
	return []prometheus.Collector{m.late, m.duration, m.ticks, m.calls, m.requests, m.batches, m.changes, m.orders, m.failed, &m.last}
}

// Observe counts one tick.
func (m *Polls) Observe(c poll.Cost) {
	m.late.Observe(c.Late.Seconds())
	m.duration.Observe(c.Took.Seconds())
	m.calls.WithLabelValues("list").Add(float64(c.Pages))
	m.calls.WithLabelValues("fetch").Add(float64(c.Fetches))
	m.requests.Add(float64(c.Requests))
	m.batches.Add(float64(c.Batches))
	m.changes.Add(float64(c.Changes))
	m.orders.Set(float64(c.Orders))
	m.failed.Set(float64(c.Failed))
	switch {
	case c.Blind:
		m.ticks.WithLabelValues("error").Inc()
		return
	case c.Err != nil:
		m.ticks.WithLabelValues("partial").Inc()
	default:
		m.ticks.WithLabelValues("ok").Inc()
	}
	m.last.own.Store(time.Now().Unix())
}

// Schedule is when polls are due.
type Schedule interface {
	Next(after time.Time) time.Time
}

// Expect sets the schedule of the polls. lastOfAll returns the time of any replica's last good poll; zero: never. Expect is
// called before the metrics are read.
func (m *Polls) Expect(schedule Schedule, lastOfAll func(context.Context) (time.Time, error)) {
	m.last.schedule, m.last.lastOfAll = schedule, lastOfAll
}

// lastPoll shows when any replica's last good poll was.
type lastPoll struct {
	began     time.Time    // when this replica started
	own       atomic.Int64 // this replica's last good poll, in seconds; 0: never
	schedule  Schedule
	lastOfAll func(context.Context) (time.Time, error)
}

var (
	pollLast     = desc("darkroom_poll_last_success_timestamp_seconds", "When a tick of any replica last read the service's news.")
	pollExpected = desc("darkroom_poll_expected_timestamp_seconds", "By when three ticks are due since the last good one, as POLL_SCHEDULE says.")
)

// late is how many due ticks without a good poll count as a missed poll.
const late = 3

// Describe implements [prometheus.Collector].
func (l *lastPoll) Describe(out chan<- *prometheus.Desc) {
	out <- pollLast
	out <- pollExpected
}

// Collect implements [prometheus.Collector]. Before the first good poll, it counts from the start of this replica.
func (l *lastPoll) Collect(out chan<- prometheus.Metric) {
	if l.schedule == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), scrapeTime)
	defer cancel()
	last := l.own.Load()
	switch marked, err := l.lastOfAll(ctx); {
	case err == nil && !marked.IsZero():
		last = max(last, marked.Unix())
	case err != nil && last == 0:
		out <- prometheus.NewInvalidMetric(pollLast, err)
		return
	}
	due := l.began
	if last > 0 {
		out <- prometheus.MustNewConstMetric(pollLast, prometheus.GaugeValue, float64(last))
		due = time.Unix(last, 0)
	}
	for range late {
		due = l.schedule.Next(due)
	}
	out <- prometheus.MustNewConstMetric(pollExpected, prometheus.GaugeValue, float64(due.Unix()))
}
