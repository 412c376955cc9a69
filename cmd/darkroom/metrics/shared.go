package metrics

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"darkroom/jobs"
	"darkroom/store"
	"darkroom/store/queue"
)

// sharedCollector reads what all replicas have in common when the metrics are read.
type sharedCollector struct {
	queue *queue.Queue
	store *store.Store
	jobs  *Jobs // knows the kinds
}

// Shared shows what the queue and the store hold.
func (m *Metrics) Shared(q *queue.Queue, s *store.Store) {
	m.add(&sharedCollector{queue: q, store: s, jobs: m.Jobs})
}

func desc(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc(name, help, labels, nil)
}

var (
	queueLanes   = desc("darkroom_queue_lanes", "Lanes with jobs, of all replicas.")
	queuePutOff  = desc("darkroom_queue_waiting_lanes", "Lanes that are put off: for another attempt, for Slack's pace, until an outage ends.")
	queueJobs    = desc("darkroom_queue_jobs", "Jobs accepted and not done, of all replicas.")
	queueDelayed = desc("darkroom_queue_delayed_jobs", "Jobs that were put for later and are not due yet.")
	queueDead    = desc("darkroom_queue_dead", "Jobs that cannot succeed and wait for an operator.")
	queueOldest  = desc("darkroom_queue_oldest_job_age_seconds", "How long the oldest job at the head of a lane has been due.", "kind")
	ordersActive = desc("darkroom_orders_active", "Orders that can still change.")
	ordersBehind = desc("darkroom_orders_unannounced", "Orders whose channel does not show all that is recorded.")
	writesOpen   = desc("darkroom_unsettled_writes", "What was sent to the photo service and may have arrived although nobody knows.", "kind")
	writesOldest = desc("darkroom_unsettled_oldest_age_seconds", "How long ago the oldest of these was sent; 0: there is none.", "kind")
)

// Describe implements [prometheus.Collector].
func (c *sharedCollector) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{
		queueLanes, queuePutOff, queueJobs, queueDelayed, queueDead, queueOldest, ordersActive, ordersBehind, writesOpen, writesOldest,
	} {
		out <- d
	}
}

// Collect implements [prometheus.Collector]. What Redis does not tell in time is missing, and the rest is shown.
func (c *sharedCollector) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), walkTime)
	defer cancel()
	show := func(d *prometheus.Desc, value float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	if stats, err := c.queue.Stats(ctx); err != nil {
		out <- prometheus.NewInvalidMetric(queueJobs, err)
	} else {
		show(queueLanes, float64(stats.Lanes))
		show(queueJobs, float64(stats.Jobs))
		show(queueDelayed, float64(stats.Delayed))
		show(queueDead, float64(stats.Dead))
	}
	if counts, err := c.store.Counts(ctx); err != nil {
		out <- prometheus.NewInvalidMetric(ordersActive, err)
	} else {
		show(ordersActive, float64(counts.Active))
		show(ordersBehind, float64(counts.Unannounced))
	}
	backlog, err := c.queue.Backlog(ctx, jobs.Writes()...)
	if err != nil {
		out <- prometheus.NewInvalidMetric(queueOldest, err)
		return
	}
	show(queuePutOff, float64(backlog.PutOff))
	for kind, age := range c.oldest(backlog) {
		show(queueOldest, age.Seconds(), kind)
	}
	for kind, open := range unsettled(backlog) {
		show(writesOpen, float64(open.count), kind)
		show(writesOldest, open.age.Seconds(), kind)
	}
}

// oldest is the age of the oldest job of each kind, 0 where there is none; of all kinds that are not ours together.
func (c *sharedCollector) oldest(b queue.Backlog) map[string]time.Duration {
	all := map[string]time.Duration{other: 0}
	for kind := range c.jobs.kinds {
		all[kind] = 0
	}
	for kind, age := range b.Oldest {
		all[c.jobs.kind(kind)] = max(all[c.jobs.kind(kind)], age)
	}
	return all
}

type open struct {
	count int
	age   time.Duration
}

// unsettled counts the writes whose outcome is not known, by kind.
func unsettled(b queue.Backlog) map[string]open {
	all := map[string]open{}
	for _, kind := range jobs.Writes() {
		all[kind] = open{}
	}
	for _, kept := range b.Kept {
		since, is := jobs.Unsettled(kept)
		if !is {
			continue
		}
		o := all[kept.Kind]
		all[kept.Kind] = open{count: o.count + 1, age: max(o.age, b.Now.Sub(since))}
	}
	return all
}
