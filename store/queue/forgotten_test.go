package queue

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"
)

// A job may wait for longer than the id of its put is known: it is known anew from its end.
func TestAnIDIsKnownAnewWhenItsJobOutlivedIt(t *testing.T) {
	bubble(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		q := newQueue(t, rdb, Options{})
		_, err := q.PutAfter(t.Context(), job("a/1"), idempotencyTTL+5*time.Hour)
		require.NoError(t, err)
		wait(t.Context(), idempotencyTTL+5*time.Hour)
		stop := running(t, q, func(context.Context, *Delivery) error { return nil })
		settled(t, q)
		require.NoError(t, stop())
		wait(t.Context(), idempotencyTTL-time.Hour)
		added, err := q.Put(t.Context(), job("a/1"))
		require.NoError(t, err)
		require.False(t, added, "it was done a day ago")
		wait(t.Context(), time.Hour)
		added, err = q.Put(t.Context(), job("a/1"))
		require.NoError(t, err)
		require.True(t, added)
	})
}

// Some providers of Redis hide its run. Then a restart cannot be noticed, and every
// delivery counts as one that may have lost writes.
func TestARedisThatDoesNotSayWhichRunItIsInMayHaveForgotten(t *testing.T) {
	needServer(t)
	server, err := startServer(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(server.kill)
	rdb := server.client()
	t.Cleanup(func() { _ = rdb.Close() })
	require.NoError(t, rdb.Do(t.Context(), "ACL", "SETUSER", "default", "-info").Err())
	q := newQueue(t, rdb, Options{})
	put(t, q, "a/1")
	runs := make(chan *Delivery, 1)
	running(t, q, func(_ context.Context, d *Delivery) error { runs <- d; return nil })
	d := receive(t, runs)
	require.Equal(t, 1, d.Deliveries)
	require.False(t, d.SameRun)
	require.False(t, d.First)
	settled(t, q)
}

// As when the end of the append-only file was cut off.
func TestALaneGoesOnBehindAJobThatWasLost(t *testing.T) {
	everyRedis(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		q := newQueue(t, rdb, Options{Workers: 1})
		put(t, q, "a/1", "a/2")
		require.NoError(t, rdb.Del(t.Context(), q.space.key("job:a/1")).Err())
		runs := make(chan *Delivery, 5)
		running(t, q, func(_ context.Context, d *Delivery) error { runs <- d; return nil })
		d := receive(t, runs)
		require.Equal(t, "a/2", d.ID)
		require.Equal(t, "test", d.Kind)
		settled(t, q)
		require.Empty(t, runs, "nor is anybody bothered with what is not there")
	})
}

func TestADeathIsToldThoughWhoBuriedItDied(t *testing.T) {
	bubble(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		var dying *mortal
		dying = newMortal(t, rdb, Options{Name: "one", OnDead: func(ctx context.Context, _ DeadLetter) error {
			dying.kill() // killed while it tells
			<-ctx.Done()
			return nil
		}})
		put(t, dying.Queue, "a/1")
		refuses := func(context.Context, *Delivery) error { return Dead(errors.New("refused")) }
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		require.ErrorIs(t, dying.Run(ctx, refuses), errKilled)

		told := make(chan DeadLetter, 5)
		running(t, newQueue(t, rdb, Options{Name: "one", OnDead: tells(told)}), refuses)
		wait(t.Context(), 2*time.Minute)
		require.Len(t, told, 1)
		require.Equal(t, "refused", (<-told).Reason)
	})
}

func TestALongReasonIsShortened(t *testing.T) {
	bubble(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		q := newQueue(t, rdb, Options{})
		put(t, q, "a/1")
		running(t, q, func(context.Context, *Delivery) error { return Dead(errors.New(strings.Repeat("no ", 5000))) })
		settled(t, q)
		letters, err := q.DeadLetters().List(t.Context(), 0)
		require.NoError(t, err)
		require.Len(t, letters, 1)
		require.Less(t, len(letters[0].Reason), 2100)
	})
}

// As when the end of the append-only file was cut off: nobody else waits for it.
func TestALaterJobThatWasLostHoldsUpNobody(t *testing.T) {
	everyRedis(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		q := newQueue(t, rdb, Options{Workers: 1})
		for _, id := range []string{"a/1", "b/1"} {
			_, err := q.PutAfter(t.Context(), job(id), 20*time.Millisecond)
			require.NoError(t, err)
		}
		require.NoError(t, rdb.Del(t.Context(), q.space.key("job:a/1")).Err())
		runs := make(chan string, 5)
		running(t, q, func(_ context.Context, d *Delivery) error { runs <- d.ID; return nil })
		require.Equal(t, "b/1", receive(t, runs))
		settled(t, q)
		require.Empty(t, runs)
	})
}

func TestDeadLettersAreReadTheNewestFirstAndForgottenLast(t *testing.T) {
	bubble(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		q := newQueue(t, rdb, Options{})
		stop := running(t, q, func(_ context.Context, d *Delivery) error { return Dead(errors.New(d.ID)) })
		for _, id := range []string{"a/1", "b/1", "c/1"} {
			put(t, q, id)
			settled(t, q)
			wait(t.Context(), time.Second)
		}
		require.NoError(t, stop())
		letters, err := q.DeadLetters().List(t.Context(), 2)
		require.NoError(t, err)
		require.Len(t, letters, 2)
		require.Equal(t, []string{"c/1", "b/1"}, []string{letters[0].ID, letters[1].ID})

		wait(t.Context(), 2*idempotencyTTL) // a dead letter stays for as long as it takes
		require.NoError(t, q.DeadLetters().Drop(t.Context(), "a/1"))
		wait(t.Context(), idempotencyTTL-time.Hour)
		added, err := q.Put(t.Context(), job("a/1"))
		require.NoError(t, err)
		require.False(t, added, "it was dropped a day ago")
	})
}
