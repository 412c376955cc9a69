package queue

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"
)

func TestWaitUsesNoAttemptAndHoldsOnlyItsLane(t *testing.T) {
	bubble(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		q := newQueue(t, rdb, Options{Workers: 1}) // so that the handler needs no lock
		start := time.Now()
		var seen []string
		done := make(chan struct{})
		put(t, q, "a/1", "a/2", "b/1")
		running(t, q, func(_ context.Context, d *Delivery) error {
			seen = append(seen, fmt.Sprintf("%s@%d", d.ID, int(time.Since(start).Seconds())))
			require.Zero(t, d.Attempt)
			require.Equal(t, d.Deliveries == 1, d.First)
			require.False(t, d.Interrupted, "who waits has ended by itself")
			if d.ID == "a/1" && d.Deliveries <= 20 {
				return fmt.Errorf("paced: %w", Wait(30*time.Second))
			}
			if d.ID == "a/2" {
				close(done)
			}
			return nil
		})
		<-done
		require.Equal(t, []string{"a/1@0", "b/1@0", "a/1@30"}, seen[:3])
		require.Equal(t, []string{"a/1@600", "a/2@600"}, seen[len(seen)-2:])
	})
}

func TestWhoWaitsForRedisIsInterruptedAndWhoWaitsByItselfIsNot(t *testing.T) {
	bubble(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		q := newQueue(t, rdb, Options{Workers: 1})
		seen := make(chan bool, 3)
		put(t, q, "a/1")
		running(t, q, func(_ context.Context, d *Delivery) error {
			seen <- d.Interrupted
			switch d.Deliveries {
			case 1:
				return &net.OpError{Op: "dial", Err: errors.New("connection refused")}
			case 2:
				return Wait(time.Second)
			}
			return nil
		})
		require.Equal(t, []bool{false, true, false}, []bool{<-seen, <-seen, <-seen})
	})
}

func TestFailuresAreRetriedInOrderThenDie(t *testing.T) {
	everyRedis(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		told := make(chan DeadLetter, 1)
		q := newQueue(t, rdb, Options{MaxAttempts: 3, Workers: 1, OnDead: tells(told)})
		var seen []string
		put(t, q, "a/1", "a/2")
		stop := running(t, q, func(_ context.Context, d *Delivery) error {
			seen = append(seen, fmt.Sprint(d.ID, " ", d.Attempt))
			require.Equal(t, d.Attempt > 0, d.Interrupted, "what a failed attempt had under way may still be carried out")
			switch {
			case d.ID == "a/2":
				return nil
			case d.Attempt == 1:
				panic("boom")
			}
			return fmt.Errorf("no luck %d", d.Attempt)
		})
		letter := receive(t, told)
		settled(t, q)
		require.NoError(t, stop())
		require.Equal(t, []string{"a/1 0", "a/1 1", "a/1 2", "a/2 0"}, seen)
		require.Equal(t, job("a/1"), letter.Job)
		require.Equal(t, "no luck 2", letter.Reason)
		require.WithinDuration(t, time.Now(), letter.At, time.Minute)
		letters, err := q.DeadLetters().List(t.Context(), 10)
		require.NoError(t, err)
		require.Equal(t, []DeadLetter{letter}, letters)
		require.Zero(t, rdb.ZCard(t.Context(), q.space.key("untold")).Val())
	})
}

func TestADeadJobIsRevivedOrDropped(t *testing.T) {
	everyRedis(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		q := newQueue(t, rdb, Options{Workers: 1})
		second := make(chan *Delivery, 1)
		put(t, q, "a/1", "a/2")
		running(t, q, func(ctx context.Context, d *Delivery) error {
			if d.Deliveries == 1 {
				if err := d.SetState(ctx, "half"); err != nil {
					return err
				}
				return fmt.Errorf("order 1: %w", Dead(errors.New("refused")))
			}
			second <- d
			return nil
		})
		settled(t, q)
		letters, err := q.DeadLetters().List(t.Context(), 0)
		require.NoError(t, err)
		require.Len(t, letters, 2)
		require.Equal(t, "order 1: refused", letters[0].Reason)
		require.JSONEq(t, `"half"`, string(letters[0].State))

		require.NoError(t, q.DeadLetters().Revive(t.Context(), "a/1"))
		d := receive(t, second)
		require.Equal(t, "a/1", d.ID)
		require.False(t, d.First, "somebody worked on it before")
		require.False(t, d.Interrupted, "and ended it")
		require.Zero(t, d.Attempt)
		require.JSONEq(t, `"half"`, string(d.State))

		require.NoError(t, q.DeadLetters().Drop(t.Context(), "a/2"))
		for _, id := range []string{"a/1", "a/2", "never"} {
			require.ErrorIs(t, q.DeadLetters().Revive(t.Context(), id), ErrNotDead)
			require.ErrorIs(t, q.DeadLetters().Drop(t.Context(), id), ErrNotDead)
		}
		added, err := q.Put(t.Context(), job("a/2"))
		require.NoError(t, err)
		require.False(t, added)
		settled(t, q)
	})
}

func TestALaterJobHoldsUpNobody(t *testing.T) {
	bubble(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		q := newQueue(t, rdb, Options{Workers: 1})
		start := time.Now()
		runs := make(chan string, 3)
		added, err := q.PutAfter(t.Context(), job("a/later"), 10*time.Minute)
		require.NoError(t, err)
		require.True(t, added)
		stats, err := q.Inspector().Stats(t.Context())
		require.NoError(t, err)
		require.Equal(t, Stats{Delayed: 1}, stats)
		running(t, q, func(_ context.Context, d *Delivery) error { runs <- d.ID; return nil })
		put(t, q, "a/now")
		require.Equal(t, "a/now", receive(t, runs))
		require.Less(t, time.Since(start), time.Second)
		require.Equal(t, "a/later", <-runs)
		require.InDelta(t, 10*time.Minute, time.Since(start), float64(time.Second))
	})
}

func TestALaterJobComesOnRealRedisToo(t *testing.T) {
	everyRedis(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		q := newQueue(t, rdb, Options{Workers: 1, Idle: time.Hour}) // the scheduler is told, it need not look
		runs := make(chan time.Time, 1)
		running(t, q, func(context.Context, *Delivery) error { runs <- time.Now(); return nil })
		start := time.Now()
		_, err := q.PutAfter(t.Context(), job("a/1"), 50*time.Millisecond)
		require.NoError(t, err)
		require.Greater(t, receive(t, runs).Sub(start), 49*time.Millisecond)
	})
}

func TestTheBackoffGrowsWithJitterAndHasAnEnd(t *testing.T) {
	for attempt, base := range map[int]time.Duration{1: time.Second, 2: 2 * time.Second, 4: 8 * time.Second, 50: 5 * time.Minute} {
		for range 100 {
			d := backoffAfter(attempt)
			require.GreaterOrEqual(t, d, base/2)
			require.Less(t, d, base*3/2)
		}
	}
}

func TestOutcomesExplainThemselves(t *testing.T) {
	cause := errors.New("cause")
	require.ErrorIs(t, Dead(cause), cause)
	require.EqualError(t, Dead(nil), "no reason given")
	require.EqualError(t, Wait(time.Second), "wait 1s")
	require.LessOrEqual(t, len(shorten(strings.Repeat("é", 5000))), 2003)
}

// tells hands on each job that died.
func tells(told chan<- DeadLetter) func(context.Context, DeadLetter) error {
	return func(_ context.Context, l DeadLetter) error {
		told <- l
		return nil
	}
}

// Slack was away when the person was to be told.
func TestADeathThatCouldNotBeToldIsToldUntilItIs(t *testing.T) {
	bubble(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		tries := make(chan time.Time, 9)
		q := newQueue(t, rdb, Options{Workers: 1, OnDead: func(context.Context, DeadLetter) error {
			tries <- time.Now()
			if len(tries) < 3 {
				return errors.New("away")
			}
			return nil
		}})
		put(t, q, "a/1")
		running(t, q, func(_ context.Context, d *Delivery) error { return Dead(errors.New(d.ID)) })
		wait(t.Context(), 10*time.Minute)
		require.Len(t, tries, 3)
		first, second := <-tries, <-tries
		require.InDelta(t, notifyAgain.Seconds(), second.Sub(first).Seconds(), 10)
		require.Zero(t, rdb.ZCard(t.Context(), q.space.key("untold")).Val())
	})
}

func TestADeathThatNobodyToldOfIsToldLater(t *testing.T) {
	bubble(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		first := true
		told := make(chan DeadLetter, 5)
		q := newQueue(t, rdb, Options{Workers: 1, OnDead: func(_ context.Context, l DeadLetter) error {
			if first {
				first = false
				panic("boom")
			}
			told <- l
			return nil
		}})
		put(t, q, "a/1", "b/1")
		running(t, q, func(_ context.Context, d *Delivery) error { return Dead(errors.New(d.ID)) })
		require.Equal(t, "b/1", receive(t, told).Reason)
		synctest.Wait()
		require.NoError(t, rdb.ZAdd(t.Context(), q.space.key("untold"), redis.Z{Score: 1, Member: "b/1"}).Err())
		require.Equal(t, "b/1", receive(t, told).Reason)
		wait(t.Context(), 10*time.Minute)
		require.Empty(t, told)
		require.Zero(t, rdb.ZCard(t.Context(), q.space.key("untold")).Val())
	})
}
