package storetest_test

import (
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/store/storetest"
	"darkroom/store/storetest/topology"
)

// What a test hears of one kind of Redis it hears of the other.
func TestWhatAServerRunsIsHeardThoughAScriptSaysIt(t *testing.T) {
	if storetest.Topology() != topology.One {
		t.Skip("only one server tells what it runs")
	}
	storetest.Each(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		ctx := t.Context()
		require.NoError(t, rdb.Set(ctx, "before", "1", 0).Err())
		ran := storetest.Monitor(t, rdb)
		require.NoError(t, rdb.Set(ctx, "plain", "1", 0).Err())
		_, err := rdb.TxPipelined(ctx, func(p redis.Pipeliner) error { return p.Set(ctx, "piped", "1", 0).Err() })
		require.NoError(t, err)
		require.NoError(t, rdb.Eval(ctx, `return redis.call('SET', 'wi' .. 'thin', ARGV[1])`, nil, "1").Err())
		heard := strings.Join(ran(), "\n")
		require.NoError(t, rdb.Set(ctx, "after", "1", 0).Err())
		for _, key := range []string{"plain", "piped", "within"} {
			require.Contains(t, heard, `"`+key+`"`)
		}
		for _, key := range []string{"before", "after"} {
			require.NotContains(t, heard, key)
		}
	})
}
