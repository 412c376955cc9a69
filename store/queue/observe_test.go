package queue

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"
)

// watcher keeps what it is told of.
type watcher struct {
	mu   sync.Mutex
	told []Worked
}

func (w *watcher) observe(one Worked) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.told = append(w.told, one)
}

func (w *watcher) outcomes() (all []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, one := range w.told {
		all = append(all, one.Kind+" "+one.Outcome)
	}
	return all
}

func TestWhoeverWatchesHearsHowEachDeliveryEnded(t *testing.T) {
	bubble(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		var w watcher
		q := newQueue(t, rdb, Options{Observe: w.observe, MaxAttempts: 2, Backoff: func(int) time.Duration { return time.Second }})
		stop := running(t, q, func(_ context.Context, d *Delivery) error {
			<-time.After(3 * time.Second)
			switch {
			case d.Kind == "waits" && d.Deliveries == 1:
				return Wait(10 * time.Second)
			case d.Kind == "fails":
				return errors.New("no")
			case d.Kind == "cannot":
				return Dead(errors.New("never"))
			}
			return nil
		})
		for _, kind := range []string{"does", "waits", "fails", "cannot"} {
			_, err := q.Put(t.Context(), Job{ID: kind, Lane: kind, Kind: kind})
			require.NoError(t, err)
		}
		settled(t, q)
		require.NoError(t, stop())
		require.ElementsMatch(t, []string{"does done", "waits waited", "waits done", "fails failed", "fails dead", "cannot dead"}, w.outcomes())
		for _, one := range w.told {
			require.Equal(t, one.Outcome != OutcomeDead || one.Kind == "cannot", one.First || one.Kind == "waits" && one.Outcome == OutcomeDone)
			require.InDelta(t, 3, one.Took.Seconds(), 0.1)
			if one.First {
				require.InDelta(t, 0, one.Waited.Seconds(), 0.5)
				require.InDelta(t, 3, one.Age.Seconds(), 0.5)
			}
			if one.Kind == "waits" && !one.First {
				require.InDelta(t, 16, one.Age.Seconds(), 1, "worked on twice, and waited")
			}
		}
	})
}

func TestAJobPutForLaterIsAsOldAsItIsDue(t *testing.T) {
	bubble(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		var w watcher
		q := newQueue(t, rdb, Options{Observe: w.observe})
		stop := running(t, q, func(_ context.Context, d *Delivery) error {
			require.Equal(t, 10*time.Second, d.DueAt.Sub(d.PutAt))
			return nil
		})
		_, err := q.PutAfter(t.Context(), job("a/1"), 10*time.Second)
		require.NoError(t, err)
		settled(t, q)
		require.NoError(t, stop())
		require.Len(t, w.told, 1)
		require.Less(t, w.told[0].Waited, 2*time.Second)
		require.Less(t, w.told[0].Age, 2*time.Second)
	})
}

func TestALostClaimIsSeenAsSuch(t *testing.T) {
	bubble(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		var w watcher
		q := newQueue(t, rdb, Options{Observe: w.observe})
		stop := running(t, q, func(ctx context.Context, d *Delivery) error {
			if d.Deliveries == 1 {
				require.NoError(t, rdb.Set(ctx, q.key("claim", d.Lane), "somebody else's", 3*time.Second).Err())
				<-ctx.Done()
			}
			return nil
		})
		put(t, q, "a/1")
		settled(t, q)
		require.NoError(t, stop())
		require.Equal(t, []string{OutcomeLost, OutcomeDone}, []string{w.told[0].Outcome, w.told[1].Outcome})
	})
}

func TestTheBacklogTellsWhatStandsAtTheHeadOfTheLanes(t *testing.T) {
	everyRedis(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		q := newQueue(t, rdb, Options{})
		b, err := q.Backlog(t.Context())
		require.NoError(t, err)
		require.Empty(t, b.Oldest)
		for lane, kind := range map[string]string{"a": "place", "b": "place", "c": "announce", "d": "place"} {
			_, err := q.Put(t.Context(), Job{ID: lane, Lane: lane, Kind: kind})
			require.NoError(t, err)
			_, err = q.Put(t.Context(), Job{ID: lane + "2", Lane: lane, Kind: "behind"})
			require.NoError(t, err)
		}
		_, err = q.PutAfter(t.Context(), Job{ID: "later", Lane: "e", Kind: "later"}, time.Hour)
		require.NoError(t, err)
		put := func(id string, age time.Duration) {
			require.NoError(t, rdb.HSet(t.Context(), q.key("job", id), "put", b.Now.Add(-age).UnixMilli()).Err())
		}
		put("a", 2*time.Hour)
		put("c", time.Minute)
		require.NoError(t, rdb.HSet(t.Context(), q.key("job", "b"), "state", `{"sent":true}`).Err())
		require.NoError(t, rdb.HSet(t.Context(), q.key("job", "c"), "state", `{"other":true}`).Err())
		require.NoError(t, rdb.ZAdd(t.Context(), q.key("waiting"), redis.Z{Score: 1, Member: "b"}).Err())

		b, err = q.Backlog(t.Context(), "place")
		require.NoError(t, err)
		require.Equal(t, 1, b.PutOff)
		require.Len(t, b.Oldest, 2)
		require.InDelta(t, 7200, b.Oldest["place"].Seconds(), 30)
		require.InDelta(t, 60, b.Oldest["announce"].Seconds(), 30)
		require.Equal(t, []Kept{{Kind: "place", State: []byte(`{"sent":true}`)}}, b.Kept)
	})
}
