package queue

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/store/script"
)

var forGood = Job{ID: "poll", Lane: "poll", Kind: "poll"}

// A job that idles is delivered when somebody wakes it, from any process, and else when its time is over.
func TestAnIdleJobIsWoken(t *testing.T) {
	bubble(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		q := newQueue(t, rdb, Options{Workers: 1})
		other := newQueue(t, rdb, Options{Name: q.o.Name})
		start := time.Now()
		var seen []string
		running(t, q, func(_ context.Context, d *Delivery) error {
			woken := ""
			if d.Now().Before(d.WaitedUntil) {
				woken = " woken"
			}
			seen = append(seen, fmt.Sprintf("%ds%s", int(time.Since(start).Seconds()), woken))
			return Idle(5 * time.Minute)
		})
		require.NoError(t, other.Wake(t.Context(), forGood, false))
		<-time.After(10 * time.Second)
		require.Equal(t, []string{"0s"}, seen, "it was put")
		require.NoError(t, other.Wake(t.Context(), forGood, false))
		<-time.After(10 * time.Second)
		require.Equal(t, []string{"0s", "10s woken"}, seen)
		<-time.After(5 * time.Minute)
		require.Equal(t, []string{"0s", "10s woken", "310s"}, seen)
	})
}

// A job that waits is woken by force only.
func TestAJobThatWaitsIsWokenByForce(t *testing.T) {
	bubble(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		q := newQueue(t, rdb, Options{Workers: 1})
		deliveries := 0
		running(t, q, func(context.Context, *Delivery) error {
			deliveries++
			return Wait(time.Hour)
		})
		require.NoError(t, q.Wake(t.Context(), forGood, false))
		<-time.After(time.Second)
		require.NoError(t, q.Wake(t.Context(), forGood, false))
		<-time.After(time.Second)
		require.Equal(t, 1, deliveries)
		require.NoError(t, q.Wake(t.Context(), forGood, true))
		<-time.After(time.Second)
		require.Equal(t, 2, deliveries)
	})
}

// What is added while the job is at work, after it looked, is not left until the end of its idle wait.
func TestAJobThatIsWokenAtWorkDoesNotIdle(t *testing.T) {
	bubble(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		q, deliveries := newQueue(t, rdb, Options{Workers: 1}), 0
		running(t, q, func(context.Context, *Delivery) error {
			deliveries++
			<-time.After(time.Second)
			return Idle(time.Hour)
		})
		require.NoError(t, q.Wake(t.Context(), forGood, false))
		<-time.After(500 * time.Millisecond)
		require.NoError(t, q.Wake(t.Context(), forGood, false))
		<-time.After(10 * time.Second)
		require.Equal(t, 2, deliveries)
	})
}

// A job whose id is still known, because it was done or dropped, is put by a wake all the same.
func TestAWakePutsAJobThatWasDoneBefore(t *testing.T) {
	bubble(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		q, deliveries := newQueue(t, rdb, Options{Workers: 1}), 0
		running(t, q, func(context.Context, *Delivery) error {
			deliveries++
			return nil
		})
		for range 2 {
			require.NoError(t, q.Wake(t.Context(), forGood, false))
			<-time.After(time.Second)
		}
		require.Equal(t, 2, deliveries)
		require.ErrorIs(t, q.Wake(t.Context(), Job{ID: "poll"}, false), ErrInvalidJob)
	})
}

// The sweep leaves a lane alone that idles, and heals one that lost its place.
func TestASweepHealsAnIdleLane(t *testing.T) {
	bubble(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		q, deliveries := newQueue(t, rdb, Options{Workers: 1}), 0
		running(t, q, func(context.Context, *Delivery) error {
			deliveries++
			return Idle(24 * time.Hour)
		})
		require.NoError(t, q.Wake(t.Context(), forGood, false))
		<-time.After(5 * time.Minute)
		require.Equal(t, 1, deliveries)
		require.NoError(t, rdb.ZRem(t.Context(), q.space.key("waiting"), "poll").Err())
		<-time.After(time.Minute)
		require.Equal(t, 2, deliveries)
	})
}

// A queue beside another has jobs of its own in the same keyspace, those of its tenant included.
func TestAQueueBesideAnotherHasItsOwnJobs(t *testing.T) {
	bubble(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		q := newQueue(t, rdb, Options{Share: 2})
		beside := q.In("T1").Beside("poll")
		require.Equal(t, q.In("T1").Keyspace(), beside.Keyspace())
		added, err := beside.Put(t.Context(), forGood)
		require.NoError(t, err)
		require.True(t, added)
		stats, err := q.Inspector().Stats(t.Context())
		require.NoError(t, err)
		require.Zero(t, stats.Jobs)
		require.Equal(t, "T1/poll", beside.WakeArgs(forGood)["lane"])
		require.IsType(t, script.Args{}, beside.WakeArgs(forGood))
	})
}

// TestARecurringJobThatIsWokenAtWorkIsNotDone: what it was woken for may have come after it looked.
func TestARecurringJobThatIsWokenAtWorkIsNotDone(t *testing.T) {
	bubble(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		q, deliveries := newQueue(t, rdb, Options{Workers: 1, Share: 2}.Beside("poll")), 0
		running(t, q, func(context.Context, *Delivery) error {
			deliveries++
			<-time.After(time.Second)
			return nil
		})
		its := q.In("T1")
		require.NoError(t, its.Wake(t.Context(), forGood, false))
		<-time.After(500 * time.Millisecond)
		require.NoError(t, its.Wake(t.Context(), forGood, false))
		<-time.After(10 * time.Second)
		require.Equal(t, 2, deliveries)
		require.Empty(t, rdb.Keys(t.Context(), q.space.key("job", "*")).Val())
		require.Empty(t, rdb.SMembers(t.Context(), q.space.key("woken")).Val())
	})
}
