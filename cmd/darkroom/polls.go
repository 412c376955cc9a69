package main

import (
	"github.com/prometheus/client_golang/prometheus"

	"darkroom/notifier"
)

// pollMetrics is what /metrics shows of the ticks of this replica's poller.
type pollMetrics struct {
	duration prometheus.Histogram
	ticks    *prometheus.CounterVec
	calls    *prometheus.CounterVec
	requests prometheus.Counter
	batches  prometheus.Counter
	changes  prometheus.Counter
	orders   prometheus.Gauge
	success  prometheus.Gauge
}

func newPollMetrics() *pollMetrics {
	counter := func(name, help string) prometheus.Counter {
		return prometheus.NewCounter(prometheus.CounterOpts{Name: name, Help: help})
	}
	counters := func(name, help, label string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, []string{label})
	}
	gauge := func(name, help string) prometheus.Gauge {
		return prometheus.NewGauge(prometheus.GaugeOpts{Name: name, Help: help})
	}
	return &pollMetrics{
		duration: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "darkroom_poll_duration_seconds", Help: "How long a tick took.", Buckets: prometheus.ExponentialBuckets(0.01, 3, 11),
		}),
		ticks:    counters("darkroom_polls_total", "Ticks of this replica, by how they ended.", "outcome"),
		calls:    counters("darkroom_poll_calls_total", "What ticks asked the service for.", "kind"),
		requests: counter("darkroom_poll_requests_total", "Requests of ticks to the service, those that were sent again counted."),
		batches:  counter("darkroom_poll_batches_total", "Batches in which their turns came from Redis."),
		changes:  counter("darkroom_poll_changes_total", "Orders that a tick found changed."),
		orders:   gauge("darkroom_poll_orders", "Orders that can change, at the last tick."),
		success:  gauge("darkroom_poll_last_success_timestamp_seconds", "When a tick of this replica last ended without an error; 0: never."),
	}
}

func (m *pollMetrics) all() []prometheus.Collector {
	return []prometheus.Collector{m.duration, m.ticks, m.calls, m.requests, m.batches, m.changes, m.orders, m.success}
}

// observe counts one tick.
func (m *pollMetrics) observe(c notifier.Cost) {
	m.duration.Observe(c.Took.Seconds())
	m.calls.WithLabelValues("list").Add(float64(c.Pages))
	m.calls.WithLabelValues("fetch").Add(float64(c.Fetches))
	m.requests.Add(float64(c.Turns))
	m.batches.Add(float64(c.Batches))
	m.changes.Add(float64(c.Changes))
	m.orders.Set(float64(c.Orders))
	if c.Err != nil {
		m.ticks.WithLabelValues("error").Inc()
		return
	}
	m.ticks.WithLabelValues("ok").Inc()
	m.success.SetToCurrentTime()
}
