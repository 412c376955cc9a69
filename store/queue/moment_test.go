package queue

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"
)

// The scheduler is told of a wait that begins in its own process: it need not look.
func TestAWaitIsOverWhenItSaid(t *testing.T) {
	bubble(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		q := newQueue(t, rdb, Options{Workers: 1, Idle: time.Minute})
		runs := make(chan time.Time, 2)
		running(t, q, func(_ context.Context, d *Delivery) error {
			runs <- time.Now()
			if d.Deliveries == 1 {
				return Wait(time.Second)
			}
			return nil
		})
		wait(t.Context(), 10*time.Second) // it is asleep
		put(t, q, "a/1")
		first := <-runs
		require.InDelta(t, time.Second, (<-runs).Sub(first), float64(100*time.Millisecond))
	})
}

// A process that ends does not shorten a wait, say one that the service asked for.
func TestAWaitOutlivesTheProcess(t *testing.T) {
	bubble(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		q := newQueue(t, rdb, Options{Workers: 1, DrainTimeout: -1})
		began, runs := make(chan bool, 1), make(chan time.Time, 1)
		stop := running(t, q, func(ctx context.Context, _ *Delivery) error {
			began <- true
			<-ctx.Done()
			return Wait(10 * time.Minute)
		})
		put(t, q, "a/1")
		<-began
		require.NoError(t, stop())
		start := time.Now()
		running(t, q, func(context.Context, *Delivery) error { runs <- time.Now(); return nil })
		require.InDelta(t, 10*time.Minute, (<-runs).Sub(start), float64(time.Minute))
	})
}

// Redis looks at ten tokens for each that is asked for. A worker with one free place would
// never reach the lane of a dead worker behind a dozen claimed lanes.
func TestALaneOfTheDeadIsFoundBehindManyOfTheLiving(t *testing.T) {
	rdb := realRedis(t)
	const living = 12
	o := Options{Name: t.Name(), Lease: 500 * time.Millisecond, Workers: living}
	busy, began, end := newQueue(t, rdb, o), make(chan string, living+1), make(chan struct{})
	running(t, busy, func(context.Context, *Delivery) error { began <- ""; <-end; return nil })
	t.Cleanup(func() { close(end) })
	for n := range living {
		put(t, busy, fmt.Sprintf("busy%d/1", n))
		receive(t, began)
	}
	o.Workers = 1
	dying := newMortal(t, rdb, o)
	put(t, dying.Queue, "orphan/1")
	died := make(chan error, 1)
	go func() {
		died <- dying.Run(context.Background(), func(ctx context.Context, _ *Delivery) error {
			dying.kill()
			<-ctx.Done()
			return ctx.Err()
		})
	}()
	require.ErrorIs(t, receive(t, died), errKilled)

	runs := make(chan string, living+1)
	running(t, newQueue(t, rdb, o), func(_ context.Context, d *Delivery) error { runs <- d.ID; return nil })
	require.Equal(t, "orphan/1", receive(t, runs))
}

// What one later job waits for is found again when another has come.
func TestEachLaterJobComesInItsTurn(t *testing.T) {
	bubble(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		q := newQueue(t, rdb, Options{Workers: 1, Idle: time.Minute})
		start := time.Now()
		runs := make(chan string, 3)
		running(t, q, func(_ context.Context, d *Delivery) error { runs <- d.ID; return nil })
		for id, after := range map[string]time.Duration{"a/1": time.Second, "b/1": 3 * time.Second} {
			_, err := q.PutAfter(t.Context(), job(id), after)
			require.NoError(t, err)
		}
		require.Equal(t, "a/1", <-runs)
		require.Equal(t, "b/1", <-runs)
		require.InDelta(t, 3*time.Second, time.Since(start), float64(100*time.Millisecond))
	})
}

// The sweep goes through all lanes at once, however many there are.
func TestLostTokensOfManyLanesAreFoundTogether(t *testing.T) {
	rdb := realRedis(t)
	q := newQueue(t, rdb, Options{})
	const lanes = 700
	for n := range lanes {
		put(t, q, fmt.Sprintf("lane%d/1", n))
	}
	require.NoError(t, rdb.Del(t.Context(), q.space.key("stream")).Err())
	runs := make(chan string, lanes)
	running(t, q, func(_ context.Context, d *Delivery) error { runs <- d.ID; return nil })
	settled(t, q)
	require.Len(t, runs, lanes)
}

// What a process put that has ended since is noticed by the others, though they sleep.
func TestALaterJobOfAnEndedProcessComes(t *testing.T) {
	bubble(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		q := newQueue(t, rdb, Options{Name: "one", Workers: 1})
		runs := make(chan time.Time, 2)
		running(t, q, func(context.Context, *Delivery) error { runs <- time.Now(); return nil })
		_, err := q.PutAfter(t.Context(), job("a/1"), time.Hour)
		require.NoError(t, err)
		wait(t.Context(), time.Minute)
		start := time.Now()
		_, err = newQueue(t, rdb, Options{Name: "one"}).PutAfter(t.Context(), job("b/1"), time.Second)
		require.NoError(t, err)
		require.InDelta(t, time.Second, (<-runs).Sub(start), float64(time.Second))
	})
}
