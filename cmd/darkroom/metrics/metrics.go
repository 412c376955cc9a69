// Package metrics is what /metrics shows of the app: how people's requests, jobs, calls and polls went, and
// what is left to do.
//
// Each package reports what it did to an observer, and knows nothing of Prometheus. What all replicas share in
// Redis is read with the metrics, so every replica shows the same: ask for its maximum. The values of a label are
// a few names of ours, never an order's id, a person, a channel or typed text: an unknown value is "other".
//
// The names, labels and meanings are in docs/metrics.md, which a test holds against this package.
package metrics

import (
	"net/http"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// other stands for an unknown value of a label.
const other = "other"

// Metrics are all metrics of one app. Its parts are observers for the packages; each may be used at once, also
// one that is not attached to anything.
type Metrics struct {
	Requests      *Requests
	Jobs          *Jobs
	Service       *Service
	Slack         *Slack
	Socket        *Socket
	Polls         *Polls
	Announcements *Announcements
	Credits       *Credits
	Redis         *Redis

	registry *prometheus.Registry
	all      []prometheus.Collector // but Go's and the process's own
}

// New makes the metrics of an app of this build.
func New(build Build) *Metrics {
	m := &Metrics{
		Requests: newRequests(), Jobs: newJobs(), Service: newService(), Slack: newSlack(), Socket: newSocket(),
		Polls: newPolls(), Announcements: newAnnouncements(), Credits: newCredits(), Redis: newRedis(),
		registry: prometheus.NewRegistry(),
	}
	m.registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.add(slices.Concat(
		m.Requests.all(), m.Jobs.all(), m.Service.all(), m.Slack.all(), m.Socket.all(), m.Polls.all(),
		m.Announcements.all(), m.Credits.all(), m.Redis.all(), build.all(),
	)...)
	return m
}

func (m *Metrics) add(collectors ...prometheus.Collector) {
	m.registry.MustRegister(collectors...)
	m.all = append(m.all, collectors...)
}

// Handler answers with all metrics. What cannot be read now, since Redis is away, is left out and counted.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{ErrorHandling: promhttp.ContinueOnError, Registry: m.registry})
}

func counter(name, help string) prometheus.Counter {
	return prometheus.NewCounter(prometheus.CounterOpts{Name: name, Help: help})
}

func counters(name, help string, labels ...string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
}

func gauge(name, help string) prometheus.Gauge {
	return prometheus.NewGauge(prometheus.GaugeOpts{Name: name, Help: help})
}

// unknownGauge is a gauge that shows nothing until it is set, by [prometheus.GaugeVec.WithLabelValues].
func unknownGauge(name, help string) *prometheus.GaugeVec {
	return prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: name, Help: help}, nil)
}

func gaugeFunc(name, help string, is func() float64) prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, is)
}

func histograms(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
	return prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets}, labels)
}

// Buckets, in seconds.
var (
	callBuckets = []float64{0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30} // of a call over the network
	workBuckets = []float64{0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600}   // of what may wait for others
)

func boolean(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// How long the reading of what stands in Redis may take, and that of all lanes of the queue; Prometheus gives up after
// ten seconds.
const (
	scrapeTime = 2 * time.Second
	walkTime   = 5 * time.Second
)
