package metrics

import (
	"github.com/prometheus/client_golang/prometheus"

	"darkroom/notifier"
)

// Rounds counts the polls of this replica's rounds over many workspaces. No label names one: there may be ten thousand.
type Rounds struct {
	late  *prometheus.HistogramVec
	polls *prometheus.CounterVec
}

func newRounds() *Rounds {
	m := &Rounds{
		late: histograms("darkroom_round_late_seconds", "How long after it was due a workspace's poll began.",
			[]float64{0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900}, "service"),
		polls: counters("darkroom_round_polls_total", "Polls of workspaces, by how they ended.", "service", "outcome"),
	}
	for _, service := range []string{"quick", "slow"} {
		m.late.WithLabelValues(service)
		for _, outcome := range []string{"ok", "failed", "cut"} {
			m.polls.WithLabelValues(service, outcome)
		}
	}
	return m
}

func (m *Rounds) all() []prometheus.Collector { return []prometheus.Collector{m.late, m.polls} }

// Observe counts one poll.
func (m *Rounds) Observe(v notifier.Visit) {
	service, outcome := "quick", "ok"
	if v.Slow {
		service = "slow"
	}
	switch {
	case v.Cut:
		outcome = "cut"
	case v.Err != nil:
		outcome = "failed"
	}
	m.late.WithLabelValues(service).Observe(v.Late.Seconds())
	m.polls.WithLabelValues(service, outcome).Inc()
}

// Where shows how the rounds of this replica stand, asked when the metrics are read.
func (m *Metrics) Where(where func() notifier.Where) {
	for name, is := range map[string]struct {
		help string
		of   func(w notifier.Where) float64
	}{
		"darkroom_round_shards":          {"Shards whose workspaces this replica polls.", func(w notifier.Where) float64 { return float64(w.Shards) }},
		"darkroom_round_workspaces":      {"Workspaces in these shards.", func(w notifier.Where) float64 { return float64(w.Workspaces) }},
		"darkroom_round_slow_workspaces": {"Those whose service is slow or does not answer.", func(w notifier.Where) float64 { return float64(w.Slow) }},
		"darkroom_round_running_polls":   {"Polls under way.", func(w notifier.Where) float64 { return float64(w.Polls) }},
		"darkroom_round_waiting":         {"Workspaces that are due and wait for room.", func(w notifier.Where) float64 { return float64(w.Waiting) }},
		"darkroom_round_wait_seconds":    {"How long the first of them has waited; slow ones left out.", func(w notifier.Where) float64 { return w.Late.Seconds() }},
		"darkroom_round_kept_pollers":    {"Pollers that are kept between polls.", func(w notifier.Where) float64 { return float64(w.Kept) }},
	} {
		m.add(gaugeFunc(name, is.help, func() float64 { return is.of(where()) }))
	}
}
