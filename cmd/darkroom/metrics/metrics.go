// Package metrics provides /metrics: the outcomes of people's requests, jobs, calls and polls, and the work that
// is left.
//
// Each package reports its work to an observer, and does not know Prometheus. Shared data in Redis is read with
// the metrics, so every replica shows the same: query the maximum. The values of a label are a few fixed names,
// never an order's id, a person, a channel or typed text; unknown values become "other".
//
// The names, labels and meanings are in docs/metrics.md, which a test compares with this package.
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

// Metrics has all metrics of an app. Its parts are observers for the packages, ready for use.
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
	all      []prometheus.Collector // without the collectors of Go and the process
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

// Handler serves all metrics. It leaves out and counts metrics that cannot be read, as while Redis is away.
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

// unknownGauge returns a gauge that is absent until [prometheus.GaugeVec.WithLabelValues] sets it.
func unknownGauge(name, help string) *prometheus.GaugeVec {
	return prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: name, Help: help}, nil)
}

func gaugeFunc(name, help string, is func() float64) prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, is)
}

func histogram(name, help string, buckets ...float64) prometheus.Histogram {
	return prometheus.NewHistogram(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets})
}

func histograms(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
	return prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets}, labels)
}

// Buckets, in seconds.
var (
	callBuckets = []float64{0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30} // for calls over the network
	workBuckets = []float64{0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600}   // for jobs, which may wait
)

func boolean(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// Limits for a scrape; Prometheus gives up after ten seconds.
const (
	scrapeTime = 2 * time.Second // for one read of Redis
	walkTime   = 5 * time.Second // for reading all lanes
)
