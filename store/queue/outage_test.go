package queue

import (
	"context"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"
)

func TestAnOutageIsSaidOnceAndSurvived(t *testing.T) {
	bubble(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		log := &syncBuffer{}
		cutOff, cable := cuttable(t, rdb)
		told := make(chan error, 9)
		q := newQueue(t, cutOff, Options{Logger: log.logger(), OnOutage: func(_ context.Context, why error) { told <- why }})
		other := newQueue(t, rdb, q.o)
		runs := make(chan string, 1)
		running(t, q, func(_ context.Context, d *Delivery) error { runs <- d.ID; return nil })
		put(t, q, "a/1")
		require.Equal(t, "a/1", <-runs)
		wait(t.Context(), time.Second)

		cable.cut.Store(true)
		wait(t.Context(), outageGrace-time.Second)
		require.Empty(t, told, "it may be a blip")
		put(t, other, "a/2")
		cable.calls.Store(0)
		wait(t.Context(), 10*time.Minute)
		require.Empty(t, runs)
		require.Less(t, cable.calls.Load(), int64(2000), "loops back off")
		_, err := q.Put(t.Context(), job("a/3"))
		require.ErrorIs(t, err, errCut)
		require.Equal(t, 1, log.count("queue lost redis"))
		require.Zero(t, log.count("queue has redis again"))
		require.Len(t, told, 1)
		require.ErrorIs(t, <-told, errCut)

		cable.cut.Store(false)
		back := time.Now()
		require.Equal(t, "a/2", <-runs)
		require.Less(t, time.Since(back), 5*time.Second)
		wait(t.Context(), time.Minute)
		require.Equal(t, 1, log.count("queue lost redis"))
		require.Equal(t, 1, log.count("queue has redis again"))
		require.Len(t, told, 1)
		require.NoError(t, <-told)
	})
}

func TestAnOutageShorterThanTheLeaseCostsNothing(t *testing.T) {
	bubble(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		cutOff, cable := cuttable(t, rdb)
		q := newQueue(t, cutOff, Options{})
		deliveries := 0
		running(t, q, func(ctx context.Context, _ *Delivery) error {
			deliveries++
			cable.cut.Store(true)
			time.AfterFunc(4*time.Second, func() { cable.cut.Store(false) })
			wait(ctx, 3*time.Second)
			return ctx.Err()
		})
		put(t, newQueue(t, rdb, q.o), "a/1")
		wait(t.Context(), time.Minute)
		settled(t, newQueue(t, rdb, q.o))
		require.Equal(t, 1, deliveries)
	})
}

func TestARestartOfRedisLosesNoJobAndNoDeliveryIsFirstAfterIt(t *testing.T) {
	needServer(t)
	s, err := startServer(t.TempDir(), "--appendonly", "yes", "--appendfsync", "always")
	require.NoError(t, err)
	defer func() { s.kill() }()
	rdb := s.client()
	defer func() { _ = rdb.Close() }()
	q := newQueue(t, rdb, Options{Lease: 300 * time.Millisecond})
	began, finish := make(chan *Delivery, 9), make(chan struct{})
	stop := running(t, q, func(_ context.Context, d *Delivery) error {
		began <- d
		if d.ID == "a/1" {
			<-finish
		}
		return nil
	})
	put(t, q, "a/1", "a/2")
	require.True(t, receive(t, began).First)

	s.kill()
	require.NoError(t, s.start())
	close(finish)
	d := receive(t, began)
	for d.ID == "a/1" { // its claim may have ended with the old Redis
		require.False(t, d.First)
		d = receive(t, began)
	}
	require.Equal(t, "a/2", d.ID)
	require.Equal(t, 1, d.Deliveries)
	require.False(t, d.First, "it was accepted by an earlier run of Redis")
	require.False(t, d.SameRun, "what it left as its state may be forgotten")
	put(t, q, "a/3")
	require.True(t, receive(t, began).First)
	settled(t, q)
	require.NoError(t, stop())
}

func TestARedisThatForgotEverythingIsServedAgain(t *testing.T) {
	everyRedis(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		q := newQueue(t, rdb, Options{})
		runs := make(chan string, 2)
		running(t, q, func(_ context.Context, d *Delivery) error { runs <- d.ID; return nil })
		put(t, q, "a/1")
		receive(t, runs)
		settled(t, q)
		keys, err := keysOf(t.Context(), rdb, q.space.key("*"))
		require.NoError(t, err)
		require.NoError(t, rdb.Del(t.Context(), keys...).Err())
		put(t, q, "a/1")
		require.Equal(t, "a/1", receive(t, runs))
		settled(t, q)
	})
}

func TestAGroupThatVanishedLosesNothingAndOverlapsNothing(t *testing.T) {
	everyRedis(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		q := newQueue(t, rdb, Options{})
		w, began, finish := newWitness(), make(chan string, 3), make(chan struct{})
		stop := running(t, q, func(_ context.Context, d *Delivery) error {
			w.begin(d)
			began <- d.ID
			<-finish
			w.end(d, true)
			return nil
		})
		put(t, q, "a/1", "a/2")
		receive(t, began)
		require.NoError(t, rdb.XGroupDestroy(t.Context(), q.space.key("stream"), group).Err())
		put(t, q, "b/1")
		require.Equal(t, "b/1", receive(t, began), "the group is made again, from the beginning")
		close(finish)
		settled(t, q)
		require.NoError(t, stop())
		require.Empty(t, w.check(map[string][]string{"a": {"a/1", "a/2"}, "b": {"b/1"}}, true))
	})
}

func TestLostTokensAreFoundByTheSweep(t *testing.T) {
	everyRedis(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		loss := map[string]func(q *Queue) error{
			"the stream is gone": func(q *Queue) error { return rdb.Del(t.Context(), q.space.key("stream")).Err() },
			"its entry is gone": func(q *Queue) error {
				return rdb.XTrimMaxLen(t.Context(), q.space.key("stream"), 0).Err()
			},
			"nobody holds what was read": func(q *Queue) error {
				if err := rdb.XGroupCreateMkStream(t.Context(), q.space.key("stream"), group, "0").Err(); err != nil {
					return err
				}
				read := &redis.XReadGroupArgs{Group: group, Consumer: "x", Streams: []string{q.space.key("stream"), ">"}, Block: -1}
				if err := rdb.XReadGroup(t.Context(), read).Err(); err != nil {
					return err
				}
				return rdb.XGroupDelConsumer(t.Context(), q.space.key("stream"), group, "x").Err()
			},
			"it should wait and does not": func(q *Queue) error {
				if err := rdb.Del(t.Context(), q.space.key("stream")).Err(); err != nil {
					return err
				}
				return rdb.HSet(t.Context(), q.space.key("tokens"), "a", "waiting").Err()
			},
		}
		for name, lose := range loss {
			t.Run(name, func(t *testing.T) {
				log := &syncBuffer{}
				q := newQueue(t, rdb, Options{Logger: log.logger()})
				put(t, q, "a/1", "a/2")
				require.NoError(t, lose(q))
				runs := make(chan string, 2)
				running(t, q, func(_ context.Context, d *Delivery) error { runs <- d.ID; return nil })
				require.Equal(t, "a/1", receive(t, runs))
				require.Equal(t, "a/2", receive(t, runs))
				settled(t, q)
				require.Eventually(t, func() bool { return log.count("lane had lost its token") == 1 }, 20*time.Second, time.Millisecond)
			})
		}
	})
}

func TestTheSweepLeavesHealthyLanesAlone(t *testing.T) {
	everyRedis(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		log := &syncBuffer{}
		q := newQueue(t, rdb, Options{Logger: log.logger()})
		began, finish := make(chan string, 3), make(chan struct{})
		running(t, q, func(_ context.Context, d *Delivery) error {
			if d.ID == "w/1" && d.Deliveries == 1 {
				return Wait(100 * time.Millisecond)
			}
			began <- d.ID
			<-finish
			return nil
		})
		put(t, q, "w/1", "a/1", "a/2")
		receive(t, began)
		require.NoError(t, q.upkeep().sweep(t.Context()))
		stats, err := q.Inspector().Stats(t.Context())
		require.NoError(t, err)
		require.Equal(t, 3, stats.Jobs)
		require.Equal(t, 2, stats.Lanes)
		receive(t, began)
		require.NoError(t, q.upkeep().sweep(t.Context()))
		close(finish)
		settled(t, q)
		require.Zero(t, log.count("lane had lost its token"))
	})
}
