package store_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/store"
	"darkroom/store/retention"
	"darkroom/store/storetest"
)

// atOnce shrinks what is finished, and keeps it.
var atOnce = retention.Policy{}

// soon lets go what has shrunk a moment ago.
var soon = retention.Policy{For: time.Millisecond}

func applyRetention(t *testing.T, s *store.Store, keep retention.Policy) {
	t.Helper()
	_, err := retention.NewRetirement(s).ApplyRetention(t.Context(), keep)
	require.NoError(t, err)
}

// untilDeleted applies the retention until the order is gone: some milliseconds may have to pass.
func untilDeleted(t *testing.T, s *store.Store, id string) {
	t.Helper()
	require.Eventually(t, func() bool {
		applyRetention(t, s, soon)
		_, err := s.Orders.Order(t.Context(), id)
		return err != nil
	}, 5*time.Second, time.Millisecond)
}

// Somebody else changes the order between its reading and its shrinking, or its leaving.
func TestRetentionNeverOverwritesANewerTruth(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		for _, keep := range []retention.Policy{atOnce, soon} {
			id := fmt.Sprint("late", keep.For)
			place(t, s, id)
			record(t, s, id, anOrder(order.StatusClosed, 0))
			announced(t, s, id)
			if keep == soon {
				applyRetention(t, s, atOnce)
			}
			mine := storetest.Another(t, rdb)
			var once sync.Once
			mine.AddHook(before(func(cmd redis.Cmder) {
				args := cmd.Args()
				if strings.HasPrefix(cmd.Name(), "eval") && len(args) > 3 && args[3] == "{darkroom}:order:"+id {
					once.Do(func() {
						record(t, s, id, order.Order{Conversation: []order.Entry{{From: "Anna", Content: "Wait"}}})
						announced(t, s, id)
					})
				}
			}))
			require.Eventually(t, func() bool {
				_, err := retention.NewRetirement(newStore(mine)).ApplyRetention(t.Context(), keep)
				require.NoError(t, err)
				o, err := s.Orders.Order(t.Context(), id)
				require.NoError(t, err)
				return len(o.Order.Conversation) == 1
			}, 5*time.Second, time.Millisecond)
			_ = mine.Close()
			events, err := s.Orders.Events(t.Context(), id)
			require.NoError(t, err)
			require.NotEmpty(t, events)
		}
	})
}

// It was on the list of those to delete, and when its turn came it was not any more.
func TestAnOrderThatComesBackAsItsTimeIsOverStays(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		record(t, s, "1", anOrder(order.StatusClosed, 0))
		announced(t, s, "1")
		applyRetention(t, s, atOnce)
		mine, back := storetest.Another(t, rdb), false
		mine.AddHook(before(func(cmd redis.Cmder) {
			if cmd.Name() == "hgetall" && !back {
				back = true
				record(t, s, "1", order.Order{Conversation: []order.Entry{{From: "Anna", Content: "Wait"}}})
				announced(t, s, "1")
			}
		}))
		require.Eventually(t, func() bool {
			_, err := retention.NewRetirement(newStore(mine)).ApplyRetention(t.Context(), soon)
			require.NoError(t, err)
			return back
		}, 5*time.Second, time.Millisecond)
		o, err := s.Orders.Order(t.Context(), "1")
		require.NoError(t, err)
		require.Len(t, o.Order.Conversation, 1)
	})
}

func TestAnOrderLeavesWithAllThatLeadsToIt(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		clean := dump(t, rdb)
		for name, end := range map[string]func(){
			"closed":     func() { record(t, s, weighed, anOrder(order.StatusClosed, 1)) },
			"canceled":   func() { record(t, s, weighed, anOrder(order.StatusCanceled, 1)) },
			"untracked":  func() { _, err := s.Changes.Untrack(t.Context(), weighed, "UBEN"); require.NoError(t, err) },
			"moved away": func() { record(t, s, weighed, anOrder(order.StatusClosed, 1)); move(t, s, weighed, "C2") },
		} {
			t.Run(name, func(t *testing.T) {
				busyLife(t, s, 5)
				end()
				announced(t, s, weighed)
				untilDeleted(t, s, weighed)
				for key := range dump(t, rdb) {
					_, before := clean[key]
					if strings.HasPrefix(key, "{darkroom}:spending:") {
						require.Positive(t, rdb.TTL(t.Context(), key).Val(), "what it cost stays in its month, by its reference")
						continue
					}
					require.True(t, before || strings.HasPrefix(key, "{darkroom}:q:") || strings.HasPrefix(key, "{darkroom}:poll:") || key == "{darkroom}:run", key)
				}
				_, err := s.Orders.Find(t.Context(), "K7Q2XM")
				require.ErrorIs(t, err, store.ErrNotTracked)
			})
		}
	})
}

func move(t *testing.T, s *store.Store, id, channel string) {
	t.Helper()
	_, err := s.Changes.Move(t.Context(), id, channel, "UBEN")
	require.NoError(t, err)
}

func TestForEverIsForEver(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		busyLife(t, s, 5)
		record(t, s, weighed, anOrder(order.StatusClosed, 1))
		announced(t, s, weighed)
		applyRetention(t, s, retention.Policy{Full: time.Hour})
		o, err := s.Orders.Order(t.Context(), weighed)
		require.NoError(t, err)
		require.NotEmpty(t, o.Order.EditedImages, "its time has not come")
		applyRetention(t, s, atOnce)
		require.NoError(t, rdb.ZAdd(t.Context(), "{darkroom}:shrunk", redis.Z{Score: 1, Member: weighed}).Err())
		applyRetention(t, s, atOnce)
		_, err = s.Orders.Order(t.Context(), weighed)
		require.NoError(t, err)
	})
}

func TestRetentionWithNothingDueWritesNothing(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		busyLife(t, s, 5)
		week := retention.Policy{Full: retention.FullFor, For: 9600 * time.Hour}
		applyRetention(t, s, week) // Redis has its scripts now
		calls := 0
		rdb.AddHook(before(func(redis.Cmder) { calls++ }))
		before := dump(t, rdb)
		calls = 0
		applyRetention(t, s, week)
		require.Equal(t, 2, calls, "one look at orders, one at dead jobs")
		require.Equal(t, before, dump(t, rdb))
	})
}

// Two replicas at once, one of them cut off again and again: every order ends shrunk and whole.
func TestRetentionMayBeCutOffAndDoubled(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		for i := range 30 {
			id := fmt.Sprint("o", i)
			place(t, s, id)
			record(t, s, id, delivered(0, "a"))
			record(t, s, id, anOrder(order.StatusClosed, 0))
			announced(t, s, id)
		}
		var both sync.WaitGroup
		for range 2 {
			both.Go(func() {
				for n := range 8 {
					ctx, cancel := context.WithTimeout(t.Context(), time.Duration(n)*3*time.Millisecond)
					_, _ = retention.NewRetirement(s).ApplyRetention(ctx, atOnce)
					cancel()
				}
			})
		}
		both.Wait()
		applyRetention(t, s, atOnce)
		applyRetention(t, s, atOnce)
		for i := range 30 {
			o, err := s.Orders.Order(t.Context(), fmt.Sprint("o", i))
			require.NoError(t, err)
			assert.Equal(t, order.StatusClosed, o.Order.Status)
			assert.Empty(t, o.Order.EditedImages)
			events, err := s.Orders.Events(t.Context(), o.ID)
			require.NoError(t, err)
			assert.Equal(t, []string{"placed", "ready:r0", "approved"}, ids(events))
		}
	})
}

// An idle workspace is looked at when its next order is due, and once a day.
func TestRetentionSaysWhenTheNextOrderIsDue(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		keep := retention.Policy{Full: time.Hour, For: 10 * time.Hour}
		next, err := retention.NewRetirement(s).ApplyRetention(t.Context(), keep)
		require.NoError(t, err)
		require.Equal(t, 24*time.Hour, next, "nothing is finished")
		place(t, s, "o1")
		record(t, s, "o1", anOrder(order.StatusClosed, 0))
		announced(t, s, "o1")
		next, err = retention.NewRetirement(s).ApplyRetention(t.Context(), keep)
		require.NoError(t, err)
		require.InDelta(t, time.Hour, next, float64(time.Minute))
		applyRetention(t, s, retention.Policy{Full: time.Millisecond, For: 10 * time.Hour})
		next, err = retention.NewRetirement(s).ApplyRetention(t.Context(), keep)
		require.NoError(t, err)
		require.InDelta(t, 10*time.Hour, next, float64(time.Minute), "it has shrunk")
	})
}
