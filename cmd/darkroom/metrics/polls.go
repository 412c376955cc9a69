package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"darkroom/notifier"
)

// Polls counts the ticks of this replica's poller.
type Polls struct {
	duration prometheus.Histogram
	ticks    *prometheus.CounterVec
	calls    *prometheus.CounterVec
	requests prometheus.Counter
	batches  prometheus.Counter
	changes  prometheus.Counter
	orders   prometheus.Gauge
	failed   prometheus.Gauge
	success  prometheus.Gauge
	interval prometheus.Gauge
}

func newPolls() *Polls {
	m := &Polls{
		duration: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "darkroom_poll_duration_seconds", Help: "How long a tick took.", Buckets: prometheus.ExponentialBuckets(0.01, 3, 11),
		}),
		ticks:    counters("darkroom_polls_total", "Ticks of this replica, by how they ended.", "outcome"),
		calls:    counters("darkroom_poll_calls_total", "What ticks asked the service for.", "kind"),
		requests: counter("darkroom_poll_requests_total", "Requests of ticks to the service, those that were sent again counted."),
		batches:  counter("darkroom_poll_batches_total", "Batches in which their turns came from Redis."),
		changes:  counter("darkroom_poll_changes_total", "Orders that a tick found changed."),
		orders:   gauge("darkroom_poll_orders", "Orders that can change, at the last tick."),
		failed:   gauge("darkroom_poll_failed_orders", "Orders that could not be read or recorded at the last tick."),
		success:  gauge("darkroom_poll_last_success_timestamp_seconds", "When a tick of this replica last ended without an error; 0: never."),
		interval: gauge("darkroom_poll_interval_seconds", "From one tick to the next, as POLL_SCHEDULE says."),
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
	return []prometheus.Collector{m.duration, m.ticks, m.calls, m.requests, m.batches, m.changes, m.orders, m.failed, m.success, m.interval}
}

// Every says how far apart ticks are meant to be.
func (m *Polls) Every(interval time.Duration) { m.interval.Set(interval.Seconds()) }

// Observe counts one tick.
func (m *Polls) Observe(c notifier.Cost) {
	m.duration.Observe(c.Took.Seconds())
	m.calls.WithLabelValues("list").Add(float64(c.Pages))
	m.calls.WithLabelValues("fetch").Add(float64(c.Fetches))
	m.requests.Add(float64(c.Turns))
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
	m.success.SetToCurrentTime()
}
