package ratelimit_test

import (
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/store/storetest"
)

func TestAChannelHasOnePaceWhoeverAsks(t *testing.T) {
	each(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		a, b := channels(rdb), channels(rdb)
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

// A row of posts takes as long as its intervals, though each slot is used a little late. But no two are closer
// than an interval less the allowed lateness.
func TestATurnTakenALittleLateDoesNotPutOffTheNext(t *testing.T) {
	for name, test := range map[string]struct{ late, next time.Duration }{
		"in time":      {0, time.Minute},
		"a little":     {200 * time.Millisecond, time.Minute - 200*time.Millisecond},
		"too late":     {2 * time.Second, time.Minute - 300*time.Millisecond},
		"after a rest": {time.Hour, time.Minute - 300*time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			storetest.Bubble(t, func(t *testing.T, rdb redis.UniversalClient) {
				t.Helper()
				l := channels(rdb)
				takes := func() {
					t.Helper()
					left, err := l.Reserve(t.Context(), "C1", time.Minute)
					require.NoError(t, err)
					require.Zero(t, left)
				}
				takes()
				left, err := l.Delay(t.Context(), "C1")
				require.NoError(t, err)
				<-time.After(left + test.late)
				takes()
				left, err = l.Delay(t.Context(), "C1")
				require.NoError(t, err)
				require.Equal(t, test.next, left)
			})
		})
	}
}
