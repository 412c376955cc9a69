package store_test

import (
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/store"
)

func TestAChannelHasOnePaceWhoeverAsks(t *testing.T) {
	each(t, func(t *testing.T, _ *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		a, b := newStore(rdb).ChannelLimiter(), newStore(rdb).ChannelLimiter()
		is := func(want time.Duration) func(time.Duration, error) {
			return func(got time.Duration, err error) {
				t.Helper()
				require.NoError(t, err)
				assert.InDelta(t, want, got, float64(10*time.Second))
				assert.Equal(t, want == 0, got == 0)
			}
		}
		is(0)(a.Delay(t.Context(), "C1"))
		is(0)(a.Reserve(t.Context(), "C1", time.Minute))
		is(time.Minute)(b.Reserve(t.Context(), "C1", time.Minute))
		is(time.Minute)(b.Delay(t.Context(), "C1"))
		is(0)(b.Reserve(t.Context(), "C2", time.Minute))

		require.NoError(t, a.Block(t.Context(), "C1", time.Hour))
		is(time.Hour)(b.Delay(t.Context(), "C1"))
		require.NoError(t, b.Block(t.Context(), "C1", time.Second))
		is(time.Hour)(a.Delay(t.Context(), "C1"))

		is(0)(a.Reserve(t.Context(), "C3", 30*time.Millisecond))
		require.Eventually(t, func() bool {
			left, err := b.Reserve(t.Context(), "C3", time.Minute)
			return err == nil && left == 0
		}, 2*time.Second, 5*time.Millisecond)
	})
}

// A row of posts takes as long as its paces, though each turn is taken a little late; but no two are closer
// than a pace less what is forgiven.
func TestATurnTakenALittleLateDoesNotPutOffTheNext(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		const every = time.Minute
		l := s.ChannelLimiter()
		for name, test := range map[string]struct{ late, next time.Duration }{
			"in time":      {0, every},
			"a little":     {200 * time.Millisecond, every - 200*time.Millisecond},
			"too late":     {2 * time.Second, every - 300*time.Millisecond},
			"after a rest": {time.Hour, every - 300*time.Millisecond},
		} {
			key := turnKey(t, rdb, l, name)
			now, err := rdb.Time(t.Context()).Result()
			require.NoError(t, err)
			require.NoError(t, rdb.Set(t.Context(), key, now.Add(-test.late).UnixMilli(), time.Minute).Err())
			left, err := l.Reserve(t.Context(), name, every)
			require.NoError(t, err)
			require.Zero(t, left)
			left, err = l.Delay(t.Context(), name)
			require.NoError(t, err)
			require.InDelta(t, test.next, left, float64(90*time.Millisecond), name)
		}
	})
}

// turnKey is the key of a channel's turn.
func turnKey(t *testing.T, rdb redis.UniversalClient, l *store.ChannelLimiter, channel string) string {
	t.Helper()
	_, err := l.Reserve(t.Context(), channel, time.Minute)
	require.NoError(t, err)
	found, err := rdb.Keys(t.Context(), "*"+channel).Result()
	require.NoError(t, err)
	require.Len(t, found, 1)
	return found[0]
}
