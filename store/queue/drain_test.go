package queue

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"
)

func TestDrainLetsRunningHandlersFinishAndTakesNoMore(t *testing.T) {
	everyRedis(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		q := newQueue(t, rdb, Options{})
		began, finish := make(chan string, 3), make(chan struct{})
		stop := running(t, q, func(ctx context.Context, d *Delivery) error {
			began <- d.ID
			<-finish
			return ctx.Err()
		})
		put(t, q, "a/1", "a/2")
		receive(t, began)
		ended := make(chan error, 1)
		go func() { ended <- stop() }()
		wait(t.Context(), 20*time.Millisecond)
		close(finish)
		require.NoError(t, receive(t, ended))

		stats, err := q.Inspector().Stats(t.Context())
		require.NoError(t, err)
		require.Equal(t, 1, stats.Jobs, "a/1 is done")
		require.Zero(t, stats.Dead)
		require.Empty(t, rdb.XInfoConsumers(t.Context(), q.space.key("stream"), group).Val())
		runs := make(chan *Delivery, 1)
		running(t, q, func(_ context.Context, d *Delivery) error { runs <- d; return nil })
		d := receive(t, runs)
		require.Equal(t, "a/2", d.ID)
		require.True(t, d.First)
		settled(t, q)
	})
}

func TestDrainTimeoutCancelsAndHandsLanesBackAtOnce(t *testing.T) {
	everyRedis(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		q := newQueue(t, rdb, Options{Lease: time.Hour, DrainTimeout: -1, MaxAttempts: 1})
		began, cause := make(chan string, 1), make(chan error, 1)
		stop := running(t, q, func(ctx context.Context, d *Delivery) error {
			began <- d.ID
			<-ctx.Done()
			cause <- context.Cause(ctx)
			return ctx.Err()
		})
		put(t, q, "a/1")
		receive(t, began)
		require.NoError(t, stop())
		require.ErrorIs(t, <-cause, ErrDrained)
		require.Empty(t, rdb.XInfoConsumers(t.Context(), q.space.key("stream"), group).Val())

		runs := make(chan *Delivery, 1)
		running(t, q, func(_ context.Context, d *Delivery) error { runs <- d; return nil })
		d := receive(t, runs)
		require.Equal(t, "a/1", d.ID)
		require.Zero(t, d.Attempt, "being cancelled is no failure")
		require.False(t, d.First)
		require.True(t, d.Interrupted, "what it had under way may still be carried out")
		require.True(t, d.SameRun, "Redis has forgotten nothing")
		settled(t, q)
	})
}

func TestAHandlerThatIgnoresItsCancellationIsReportedNotOverlapped(t *testing.T) {
	bubble(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		q := newQueue(t, rdb, Options{DrainTimeout: time.Second})
		began, finish := make(chan string, 2), make(chan struct{})
		stubborn := func(_ context.Context, d *Delivery) error {
			began <- d.ID
			<-finish
			return nil
		}
		stop := running(t, q, stubborn)
		put(t, q, "a/1")
		<-began
		require.ErrorContains(t, stop(), "1 handlers still run")
		stopped := time.Now()
		running(t, q, stubborn)
		<-began
		require.Greater(t, time.Since(stopped), time.Second)
		close(finish)
		settled(t, q)
	})
}

func TestATokenReadWhileStoppingIsHandedBack(t *testing.T) {
	everyRedis(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		q := newQueue(t, rdb, Options{Lease: time.Hour})
		runs := make(chan string, 1)
		handler := func(_ context.Context, d *Delivery) error { runs <- d.ID; return nil }
		r := newRunner(t.Context(), q, handler, newOutage(q.log, nil))
		require.NoError(t, rdb.XGroupCreateMkStream(t.Context(), q.space.key("stream"), group, "0").Err())
		put(t, q, "a/1")
		tokens, err := r.tokens(t.Context(), 1)
		require.NoError(t, err)
		require.Len(t, tokens, 1)
		require.NoError(t, q.upkeep().leave(t.Context(), r.consumer))
		require.Len(t, rdb.XInfoConsumers(t.Context(), q.space.key("stream"), group).Val(), 1, "a consumer with entries stays")

		ended, cancel := context.WithCancel(t.Context())
		cancel()
		r.slots <- struct{}{}
		r.begin(ended, tokens, 1)
		r.works.Wait()
		running(t, q, handler)
		require.Equal(t, "a/1", receive(t, runs))
		settled(t, q)
	})
}

// An operator who stops the app while Redis is away reads it, even if the jobs' claims were lost long before.
func TestWhatRedisDoesNotTakeBackIsSaid(t *testing.T) {
	t.Parallel()
	needServer(t)
	dir, err := os.MkdirTemp("", "stop") //nolint:usetesting // a socket's path must be short
	require.NoError(t, err)
	s, err := startServer(dir)
	require.NoError(t, err)
	t.Cleanup(func() { s.kill(); _ = os.RemoveAll(dir) })
	rdb := s.client()
	t.Cleanup(func() { _ = rdb.Close() })
	q := newQueue(t, rdb, Options{Lease: 300 * time.Millisecond})
	began, lost := make(chan string, 1), make(chan error, 1)
	stop := running(t, q, func(ctx context.Context, d *Delivery) error {
		began <- d.ID
		<-ctx.Done()
		lost <- context.Cause(ctx)
		return ctx.Err()
	})
	put(t, q, "a/1")
	receive(t, began)
	s.kill()
	require.ErrorIs(t, receive(t, lost), ErrLostClaim)
	require.ErrorIs(t, stop(), ErrNotDrained)
}
