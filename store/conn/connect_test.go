package conn_test

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/store/conn"
	"darkroom/store/storetest"
)

func TestThereAreAsManyConnectionsAsAreNeeded(t *testing.T) {
	t.Parallel()
	usual := 10 * runtime.GOMAXPROCS(0)
	for _, test := range []struct {
		query    string
		commands int
		want     int
	}{{"", 0, usual}, {"", 1, usual}, {"", 1000, 1000}, {"pool_size=7", 1000, 7}, {"pool_size=7", 0, 7}} {
		for form, query := range map[string]string{"redis://127.0.0.1": "?", "redis://127.0.0.1?master_name=main": "&", "redis+cluster://127.0.0.1": "?"} {
			url := form + query + test.query
			rdb, err := conn.ConnectFor(url, test.commands)
			require.NoError(t, err)
			var size int
			switch c := rdb.(type) {
			case *redis.Client:
				size = c.Options().PoolSize
			case *redis.ClusterClient:
				size = c.Options().PoolSize
			}
			assert.Equal(t, test.want, size, "%s for %d", url, test.commands)
			require.NoError(t, rdb.Close())
		}
	}
}

// Readers that wait for jobs hold a connection each, whatever the number of cores: others find one all the same.
func TestCommandsThatWaitLeaveConnectionsToOthers(t *testing.T) {
	t.Parallel()
	url, kind := storetest.Redis(t)
	t.Log("Redis:", kind)
	waiting := 10*runtime.GOMAXPROCS(0) + 6
	rdb, err := conn.ConnectFor(url, waiting+1)
	require.NoError(t, err)
	defer func() { _ = rdb.Close() }()
	ended := make(chan error, waiting)
	for range waiting {
		go func() { ended <- rdb.BLPop(t.Context(), 0, "{waiting}").Err() }()
	}
	soon, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for int(rdb.PoolStats().TotalConns) < waiting && soon.Err() == nil {
		runtime.Gosched()
	}
	for range waiting { // each ends one of them
		require.NoError(t, rdb.LPush(soon, "{waiting}", "go on").Err())
	}
	for range waiting {
		require.NoError(t, <-ended)
	}
}
