package metrics

import (
	"github.com/prometheus/client_golang/prometheus"

	"darkroom/store/queue"
)

// Jobs counts what this replica's workers do.
type Jobs struct {
	deliveries *prometheus.CounterVec
	took       *prometheus.HistogramVec
	waited     *prometheus.HistogramVec
	age        *prometheus.HistogramVec
	givenUp    prometheus.Counter

	kinds map[string]bool
}

func newJobs() *Jobs {
	return &Jobs{
		deliveries: counters("darkroom_jobs_total", "Deliveries of jobs, by how they ended.", "kind", "outcome"),
		took:       histograms("darkroom_job_duration_seconds", "How long a delivery was worked on.", workBuckets, "kind"),
		waited:     histograms("darkroom_job_wait_seconds", "From when a job was due until it was first worked on.", workBuckets, "kind"),
		age:        histograms("darkroom_job_age_seconds", "From when a job was due until it was done or dead.", workBuckets, "kind"),
		givenUp:    counter("darkroom_orders_given_up_total", "Orders of which nobody could find out whether they were placed; their person decides."),
		kinds:      map[string]bool{},
	}
}

func (j *Jobs) all() []prometheus.Collector {
	return []prometheus.Collector{j.deliveries, j.took, j.waited, j.age, j.givenUp}
}

// Know registers the kinds of jobs. It is called before the first job runs.
func (j *Jobs) Know(kinds ...string) {
	for _, kind := range kinds {
		j.kinds[kind] = true
		for _, outcome := range queue.Outcomes() {
			j.deliveries.WithLabelValues(kind, outcome)
		}
	}
}

// Observe counts one delivery.
func (j *Jobs) Observe(w queue.Worked) {
	kind := j.kind(w.Kind)
	j.deliveries.WithLabelValues(kind, w.Outcome).Inc()
	j.took.WithLabelValues(kind).Observe(w.Took.Seconds())
	if w.First {
		j.waited.WithLabelValues(kind).Observe(max(0, w.Waited.Seconds()))
	}
	if w.Outcome == queue.OutcomeDone || w.Outcome == queue.OutcomeDead {
		j.age.WithLabelValues(kind).Observe(max(0, w.Age.Seconds()))
	}
}

// GivenUp counts an order whose outcome stayed unknown, so that its person decides.
func (j *Jobs) GivenUp() { j.givenUp.Inc() }

func (j *Jobs) kind(name string) string {
	if j.kinds[name] {
		return name
	}
	return other
}
