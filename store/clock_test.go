package store_test

import (
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"
)

// Any replica may compare the mark of a post.
func TestAMarkIsDatedByTheClockOfRedis(t *testing.T) {
	t.Parallel()
	m := miniredis.RunT(t)
	m.SetTime(time.Now().Add(-10 * time.Minute))
	rdb := redis.NewClient(&redis.Options{Addr: m.Addr()})
	t.Cleanup(func() { _ = rdb.Close() })
	s := newStore(rdb)
	place(t, s, "1")
	require.NoError(t, s.Announcements.BeginPost(t.Context(), "1", 1, 0))
	o, err := s.Orders.Order(t.Context(), "1")
	require.NoError(t, err)
	require.WithinDuration(t, time.Now().Add(-10*time.Minute), o.InFlight.At, 30*time.Second)
}
