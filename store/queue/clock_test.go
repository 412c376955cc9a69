package queue

import (
	"context"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"
)

// What a replica notes with a job's Now another one compares with its own: it is the clock of
// Redis, whatever the machine's says.
func TestADeliveryTellsTheTimeOfRedis(t *testing.T) {
	m := miniredis.RunT(t)
	rdb := redis.NewClient(&redis.Options{Addr: m.Addr(), MaxRetries: -1})
	t.Cleanup(func() { _ = rdb.Close() })
	for _, apart := range []time.Duration{-10 * time.Minute, 10 * time.Minute} {
		m.SetTime(time.Now().Add(apart))
		q := newQueue(t, rdb, Options{})
		got := make(chan time.Duration, 1)
		stop := running(t, q, func(_ context.Context, d *Delivery) error {
			got <- d.Now().Sub(d.PutAt)
			return nil
		})
		put(t, q, "a/1")
		require.InDelta(t, 0, receive(t, got).Seconds(), 5, "since it was put")
		require.NoError(t, stop())
	}
	require.WithinDuration(t, time.Now(), (&Delivery{}).Now(), time.Minute, "made by hand, this machine's")
}
