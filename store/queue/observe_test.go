package queue

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/store/storetest"
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
				require.NoError(t, rdb.Set(ctx, q.space.key("claim", d.Lane), "somebody else's", 3*time.Second).Err())
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
		b, err := q.Inspector().Backlog(t.Context())
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
			require.NoError(t, rdb.HSet(t.Context(), q.space.key("job", id), "put", b.Now.Add(-age).UnixMilli()).Err())
		}
		put("a", 2*time.Hour)
		put("c", time.Minute)
		require.NoError(t, rdb.HSet(t.Context(), q.space.key("job", "b"), "state", `{"sent":true}`).Err())
		require.NoError(t, rdb.HSet(t.Context(), q.space.key("job", "c"), "state", `{"other":true}`).Err())
		require.NoError(t, rdb.ZAdd(t.Context(), q.space.key("waiting"), redis.Z{Score: 1, Member: "b"}).Err())

		b, err = q.Inspector().Backlog(t.Context(), "place")
		require.NoError(t, err)
		require.Equal(t, 1, b.PutOff)
		require.Len(t, b.Oldest, 2)
		require.InDelta(t, 7200, b.Oldest["place"].Seconds(), 30)
		require.InDelta(t, 60, b.Oldest["announce"].Seconds(), 30)
		require.Equal(t, []Kept{{Kind: "place", State: []byte(`{"sent":true}`)}}, b.Kept)
	})
}

// Watching the queue reads all lanes without blocking Redis: no script and no command takes longer with more
// lanes.
func TestALookAtManyLanesHoldsRedisUpForNoneOfThem(t *testing.T) {
	const many = 5000
	server := storetest.Start(t)
	rdb := server.Client()
	q := newQueue(t, rdb, Options{})
	for from := 0; from < many; from += 1000 {
		_, err := rdb.Pipelined(t.Context(), func(p redis.Pipeliner) error {
			for n := from; n < from+1000; n++ {
				id := fmt.Sprint("a lane of an order ", n)
				p.HSet(t.Context(), q.space.key("tokens"), id, "1-0")
				p.RPush(t.Context(), q.space.key("lane", id), id, id+" behind")
				p.HSet(t.Context(), q.space.key("job", id), "kind", "place", "put", 1, "state", `{"sent":true}`)
			}
			return nil
		})
		require.NoError(t, err)
	}
	require.NoError(t, rdb.ConfigResetStat(t.Context()).Err())
	sent := &counted{names: map[string]int{}}
	rdb.AddHook(sent)

	stats, err := q.Inspector().Stats(t.Context())
	require.NoError(t, err)
	require.Equal(t, Stats{Jobs: 2 * many, Lanes: many}, stats)
	b, err := q.Inspector().Backlog(t.Context(), "place")
	require.NoError(t, err)
	require.Len(t, b.Kept, many)
	require.Len(t, b.Oldest, 1)

	done := map[string]int{}
	for _, found := range regexp.MustCompile(`cmdstat_(\w+):calls=(\d+)`).FindAllStringSubmatch(server.Client().Info(t.Context(), "commandstats").Val(), -1) {
		done[found[1]], err = strconv.Atoi(found[2])
		require.NoError(t, err)
	}
	for _, each := range []string{"llen", "lindex", "hmget", "hget"} {
		require.Equal(t, many, done[each])
		require.Equal(t, many, sent.names[each], "%s is in no script", each)
	}
	require.NotContains(t, done, "hkeys")
	require.Greater(t, sent.names["hscan"], 2*many/page/2)
	require.Less(t, sent.longest, 3*page, "lanes at a time")
}

// counted counts the commands that a client sends.
type counted struct {
	names   map[string]int
	longest int // commands in one go, or lanes in one answer
}

func (c *counted) DialHook(next redis.DialHook) redis.DialHook { return next }

func (c *counted) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		c.names[cmd.Name()]++
		err := next(ctx, cmd)
		if scan, is := cmd.(*redis.ScanCmd); is {
			keys, _ := scan.Val()
			c.longest = max(c.longest, len(keys)/2)
		}
		return err
	}
}

func (c *counted) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		c.longest = max(c.longest, len(cmds))
		for _, cmd := range cmds {
			c.names[cmd.Name()]++
		}
		return next(ctx, cmds)
	}
}
