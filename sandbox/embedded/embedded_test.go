package embedded_test

import (
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/sandbox/embedded"
)

// A key ends when its time is over, as a claim must whose holder has stopped; a script sees one moment.
func TestKeysExpireAsTimePasses(t *testing.T) {
	t.Parallel()
	m, err := embedded.Start(embedded.Step)
	require.NoError(t, err)
	t.Cleanup(m.Close)
	rdb := redis.NewClient(&redis.Options{Addr: m.Addr()})
	t.Cleanup(func() { _ = rdb.Close() })
	require.NoError(t, rdb.Set(t.Context(), "claim", "mine", 50*time.Millisecond).Err())
	require.NoError(t, rdb.Set(t.Context(), "kept", "mine", time.Hour).Err())
	require.Eventually(t, func() bool { return rdb.Exists(t.Context(), "claim", "kept").Val() == 1 }, time.Minute, 5*time.Millisecond)

	moments, err := rdb.Eval(t.Context(), `local before = redis.call('TIME') for i = 1, 100000 do end
		local after = redis.call('TIME') return {before[1], before[2], after[1], after[2]}`, nil).StringSlice()
	require.NoError(t, err)
	require.Equal(t, moments[:2], moments[2:])
}
