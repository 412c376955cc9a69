package metrics

import (
	"context"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"darkroom/jobs/job"
	"darkroom/store"
	"darkroom/store/queue"
)

// sharedCollector reads the data in Redis that all replicas share, when the metrics are read.
type sharedCollector struct {
	queues []*queue.Queue
	store  *store.Store // nil: orders are not counted
	jobs   *Jobs        // has the kinds
}

// Shared shows the sums over the queues, and the orders of the store. A nil store shows no orders: counting those of many
// workspaces would visit each.
func (m *Metrics) Shared(queues []*queue.Queue, s *store.Store) {
	m.add(&sharedCollector{queues: queues, store: s, jobs: m.Jobs})
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
	writesOldest = desc("darkroom_unsettled_oldest_age_seconds", "How long ago the oldest of these was sent; 0: no such write.", "kind")
)

// Describe implements [prometheus.Collector].
func (c *sharedCollector) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{
		queueLanes, queuePutOff, queueJobs, queueDelayed, queueDead, queueOldest, ordersActive, ordersBehind, writesOpen, writesOldest,
	} {
		out <- d
	}
}

// Collect implements [prometheus.Collector]. Values that Redis does not return in time are missing. With several queues
// it shows the sums over those that answer, so that one dead master does not hide the jobs of others.
func (c *sharedCollector) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), walkTime)
	defer cancel()
	show := func(d *prometheus.Desc, value float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	fail := func(d *prometheus.Desc, err error) { out <- prometheus.NewInvalidMetric(d, err) }
	queued := make(chan *queueShare)
	go func() { queued <- c.look(ctx) }()
	if c.store != nil {
		if counts, err := c.store.Orders.Counts(ctx); err != nil {
			fail(ordersActive, err)
		} else {
			show(ordersActive, float64(counts.Active))
			show(ordersBehind, float64(counts.Unannounced))
		}
	}
	(<-queued).report(show, fail)
}

// queueShare has the sums over the queues that could be read.
type queueShare struct {
	counted, seen     int // queues whose jobs were counted, and whose lanes were read
	uncounted, unseen []error
	stats             queue.Stats
	putOff            int
	oldest            map[string]time.Duration
	open              map[string]open
}

// report shows the sums and the errors.
func (s *queueShare) report(show func(d *prometheus.Desc, value float64, labels ...string), fail func(d *prometheus.Desc, err error)) {
	for _, err := range s.uncounted {
		fail(queueJobs, err)
	}
	for _, err := range s.unseen {
		fail(queueOldest, err)
	}
	if s.counted > 0 {
		show(queueLanes, float64(s.stats.Lanes))
		show(queueJobs, float64(s.stats.Jobs))
		show(queueDelayed, float64(s.stats.Delayed))
		show(queueDead, float64(s.stats.Dead))
	}
	if s.seen == 0 {
		return
	}
	show(queuePutOff, float64(s.putOff))
	for kind, age := range s.oldest {
		show(queueOldest, age.Seconds(), kind)
	}
	for kind, open := range s.open {
		show(writesOpen, float64(open.count), kind)
		show(writesOldest, open.age.Seconds(), kind)
	}
}

// look reads all queues concurrently: a queue without an answer does not delay the others.
func (c *sharedCollector) look(ctx context.Context) *queueShare {
	all := &queueShare{oldest: c.none(), open: map[string]open{}}
	for _, kind := range job.Writes() {
		all.open[kind] = open{}
	}
	var mu sync.Mutex
	var looks sync.WaitGroup
	for _, q := range c.queues {
		looks.Go(func() {
			stats, uncounted := q.Inspector().Stats(ctx)
			backlog, unseen := q.Inspector().Backlog(ctx, job.Writes()...)
			mu.Lock()
			defer mu.Unlock()
			all.count(stats, uncounted)
			all.see(backlog, unseen, c.jobs.kind)
		})
	}
	looks.Wait()
	return all
}

func (s *queueShare) count(stats queue.Stats, err error) {
	if err != nil {
		s.uncounted = append(s.uncounted, err)
		return
	}
	s.counted++
	s.stats.Lanes += stats.Lanes
	s.stats.Jobs += stats.Jobs
	s.stats.Delayed += stats.Delayed
	s.stats.Dead += stats.Dead
}

// see adds one queue's backlog; kind maps a job's kind to its label.
func (s *queueShare) see(b queue.Backlog, err error, kind func(string) string) {
	if err != nil {
		s.unseen = append(s.unseen, err)
		return
	}
	s.seen++
	s.putOff += b.PutOff
	for name, age := range b.Oldest {
		s.oldest[kind(name)] = max(s.oldest[kind(name)], age)
	}
	for _, write := range b.Kept {
		if since, unsettled := job.Unsettled(write); unsettled {
			o := s.open[write.Kind]
			s.open[write.Kind] = open{count: o.count + 1, age: max(o.age, b.Now.Sub(since))}
		}
	}
}

// none returns age zero for each label of a job's kind.
func (c *sharedCollector) none() map[string]time.Duration {
	all := map[string]time.Duration{other: 0}
	for kind := range c.jobs.kinds {
		all[kind] = 0
	}
	return all
}

// open counts the writes of a kind whose outcome is unknown.
type open struct {
	count int
	age   time.Duration // of the oldest
}
