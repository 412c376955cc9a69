package metrics

import (
	"context"
	"errors"
	"net"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"
)

// Redis measures the commands that this replica sends to Redis. It is a hook of the client.
type Redis struct {
	took   prometheus.Histogram
	failed *prometheus.CounterVec
	pool   poolCollector
}

// Why a command failed.
const (
	redisTimeout = "timeout"  // no answer in time, or no connection in the pool
	redisNetwork = "network"  // not reachable, or the connection broke
	redisCut     = "canceled" // the caller gave up
	redisRefused = "refused"  // Redis refused: loading, out of memory, a read-only replica, too few replicas
)

func newRedis() *Redis {
	r := &Redis{
		took: histogram("darkroom_redis_command_duration_seconds", "How long commands took at Redis, a pipeline being one; reads that wait for work are left out.",
			0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5),
		failed: counters("darkroom_redis_errors_total", "Commands to Redis that failed.", "reason"),
	}
	for _, reason := range []string{redisTimeout, redisNetwork, redisCut, redisRefused} {
		r.failed.WithLabelValues(reason)
	}
	return r
}

func (r *Redis) all() []prometheus.Collector {
	return []prometheus.Collector{r.took, r.failed, &r.pool}
}

// Watch measures a client's commands from now on.
func (r *Redis) Watch(rdb redis.UniversalClient) {
	r.pool.rdb = rdb
	rdb.AddHook(r)
}

// DialHook implements [redis.Hook]: a failed connection fails the command.
func (r *Redis) DialHook(next redis.DialHook) redis.DialHook { return next }

// ProcessHook implements [redis.Hook].
func (r *Redis) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		began := time.Now()
		err := next(ctx, cmd)
		if cmd.Name() != "xreadgroup" {
			r.took.Observe(time.Since(began).Seconds())
		}
		r.count(err)
		return err
	}
}

// ProcessPipelineHook implements [redis.Hook].
func (r *Redis) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		began := time.Now()
		err := next(ctx, cmds)
		r.took.Observe(time.Since(began).Seconds())
		r.count(err)
		return err
	}
}

// count counts a failure. Errors that the app handles, such as a script that is not loaded, are no
// failures.
func (r *Redis) count(err error) {
	if err == nil || errors.Is(err, redis.Nil) {
		return
	}
	if reason := redisReason(err); reason != "" {
		r.failed.WithLabelValues(reason).Inc()
	}
}

var refusals = []string{"LOADING", "MASTERDOWN", "READONLY", "OOM", "NOREPLICAS", "MISCONF", "CLUSTERDOWN", "TRYAGAIN"}

func redisReason(err error) string {
	network, isNetwork := errors.AsType[net.Error](err)
	_, answered := errors.AsType[redis.Error](err)
	switch {
	case errors.Is(err, context.Canceled):
		return redisCut
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, redis.ErrPoolTimeout), isNetwork && network.Timeout():
		return redisTimeout
	case !answered:
		return redisNetwork
	case slices.ContainsFunc(refusals, func(prefix string) bool { return redis.HasErrorPrefix(err, prefix) }):
		return redisRefused
	}
	return ""
}

// poolCollector shows the connections to Redis.
type poolCollector struct{ rdb redis.UniversalClient }

var (
	poolConnections = desc("darkroom_redis_connections", "Connections to Redis.", "state")
	poolTimeouts    = desc("darkroom_redis_pool_timeouts_total", "Commands that found no connection to Redis in time.")
)

// Describe implements [prometheus.Collector].
func (p *poolCollector) Describe(out chan<- *prometheus.Desc) {
	out <- poolConnections
	out <- poolTimeouts
}

// Collect implements [prometheus.Collector].
func (p *poolCollector) Collect(out chan<- prometheus.Metric) {
	if p.rdb == nil {
		return
	}
	stats := p.rdb.PoolStats()
	idle := float64(stats.IdleConns)
	out <- prometheus.MustNewConstMetric(poolConnections, prometheus.GaugeValue, idle, "idle")
	out <- prometheus.MustNewConstMetric(poolConnections, prometheus.GaugeValue, max(0, float64(stats.TotalConns)-idle), "busy")
	out <- prometheus.MustNewConstMetric(poolTimeouts, prometheus.CounterValue, float64(stats.Timeouts))
}
