package metrics

import (
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/store"
	"darkroom/store/conn"
	"darkroom/store/queue"
	"darkroom/store/storetest"
)

// sharing are the metrics of an app over that Redis.
func sharing(rdb redis.UniversalClient) *Metrics {
	m := watching()
	q := queue.New(rdb, queue.Options{Logger: slog.New(slog.DiscardHandler)})
	m.Shared([]*queue.Queue{q}, store.New(rdb, q))
	return m
}

// Just when too few replicas of Redis confirm what is written, operators look at the metrics: these write nothing,
// and wait for nobody.
func TestWhatStandsInRedisIsShownWhileNoReplicaConfirms(t *testing.T) {
	main := storetest.Start(t)
	_, err := queue.New(main.Client(), queue.Options{}).Put(t.Context(), queue.Job{ID: "one", Lane: "one", Kind: "place"})
	require.NoError(t, err)
	rdb, err := conn.Connect(main.URL() + "?wait_replicas=1&wait_timeout=100ms")
	require.NoError(t, err)
	t.Cleanup(func() { _ = rdb.Close() })

	is := shown(t, sharing(rdb))
	for _, line := range []string{
		"darkroom_queue_jobs 1", "darkroom_queue_lanes 1", "darkroom_queue_waiting_lanes 0", "darkroom_queue_dead 0", "darkroom_orders_active 0",
		`darkroom_queue_oldest_job_age_seconds{kind="place"} `, `darkroom_unsettled_writes{kind="place"} 0`, "promhttp_metric_handler_errors_total{cause=\"gathering\"} 0",
	} {
		require.Contains(t, is, "\n"+line)
	}
	require.NotContains(t, main.Client().Info(t.Context(), "commandstats").Val(), "cmdstat_wait")
}

// One part that cannot be read takes nothing else with it.
func TestEachPartOfWhatStandsInRedisIsShownByItself(t *testing.T) {
	orders, queued := []string{"darkroom_orders_active"}, []string{"darkroom_queue_jobs", "darkroom_queue_oldest_job_age_seconds"}
	for key, missing := range map[string][]string{"{darkroom}:active": orders, "{darkroom}:q:dead": queued} {
		rdb := storetest.Client(t)
		require.NoError(t, rdb.Set(t.Context(), key, "of another type", 0).Err())
		is := shown(t, sharing(rdb))
		for _, part := range slices.Concat(orders, queued) {
			require.Equal(t, !slices.Contains(missing, part), strings.Contains(is, "\n"+part), "%s without %s", part, key)
		}
	}
}
