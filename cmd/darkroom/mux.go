package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"darkroom/bot"
	"darkroom/files"
	"darkroom/store/queue"
)

const (
	pathHealth = "/healthz"
	appName    = "darkroom" // by which "darkroom doctor" knows that it reached the app
)

// mux is every HTTP path of the app.
func (a *app) mux() http.Handler {
	mux := http.NewServeMux()
	if a.server != nil {
		for _, path := range []string{bot.PathCommands, bot.PathInteractions, bot.PathEvents} {
			mux.Handle(path, a.server)
		}
	}
	if a.signer != nil {
		mux.Handle(files.Path, files.NewHandler(a.signer, photos{a.slack}, a.log))
	}
	mux.HandleFunc("GET "+pathHealth, func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, "ok") })
	mux.HandleFunc("GET /readyz", a.ready)
	mux.Handle("GET /metrics", promhttp.HandlerFor(a.registry, promhttp.HandlerOpts{ErrorHandling: promhttp.ContinueOnError}))
	return mux
}

// ready answers 200 when a click would be accepted: Redis takes what is put, Slack can
// reach us, and we are not about to stop.
func (a *app) ready(w http.ResponseWriter, r *http.Request) {
	if a.stopping.Load() {
		answer(w, http.StatusServiceUnavailable, "stopping")
		return
	}
	if a.server == nil && !a.socket.Connected() {
		answer(w, http.StatusServiceUnavailable, "not connected to Slack")
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
	defer cancel()
	if err := a.queue.Ready(ctx); err != nil {
		a.log.WarnContext(ctx, "not ready", "err", err)
		says := "Redis does not answer"
		switch {
		case queue.Full(err):
			says = "the memory of Redis is full"
		case errors.Is(err, queue.ErrUnconfirmed):
			says = "too few replicas of Redis confirm"
		}
		answer(w, http.StatusServiceUnavailable, says)
		return
	}
	answer(w, http.StatusOK, "ready")
}

func answer(w http.ResponseWriter, status int, says string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"app": appName, "status": says}) // the client went away
}

// measure registers what /metrics shows.
func (a *app) measure() {
	a.registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	a.registry.MustRegister(&queueCollector{a})
	a.registry.MustRegister(a.polls.all()...)
}

// gauges are what the queue counts.
var gauges = []struct {
	desc  *prometheus.Desc
	count func(queue.Stats) int
}{
	{prometheus.NewDesc("darkroom_queue_lanes", "Lanes with jobs.", nil, nil), func(s queue.Stats) int { return s.Lanes }},
	{prometheus.NewDesc("darkroom_queue_jobs", "Jobs accepted and not done.", nil, nil), func(s queue.Stats) int { return s.Jobs }},
	{prometheus.NewDesc("darkroom_queue_dead", "Jobs that cannot succeed and wait for an operator.", nil, nil), func(s queue.Stats) int { return s.Dead }},
}

// queueCollector asks the queue when the metrics are read.
type queueCollector struct{ a *app }

// Describe implements [prometheus.Collector].
func (q *queueCollector) Describe(out chan<- *prometheus.Desc) {
	for _, g := range gauges {
		out <- g.desc
	}
}

// Collect implements [prometheus.Collector].
func (q *queueCollector) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	stats, err := q.a.queue.Stats(ctx)
	for _, g := range gauges {
		if err != nil {
			out <- prometheus.NewInvalidMetric(g.desc, err)
			return
		}
		out <- prometheus.MustNewConstMetric(g.desc, prometheus.GaugeValue, float64(g.count(stats)))
	}
}
