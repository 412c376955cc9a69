package queue

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"testing/fstest"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/store/script"
)

func TestAJobArrivesWholeAndIsDone(t *testing.T) {
	everyRedis(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		q := newQueue(t, rdb, Options{})
		got := make(chan *Delivery, 1)
		running(t, q, func(_ context.Context, d *Delivery) error { got <- d; return nil })
		before := time.Now().Truncate(time.Millisecond)
		body := json.RawMessage(`{"words":["a \"b\"","<!channel> é"]}`)
		added, err := q.Put(t.Context(), Job{ID: "1", Lane: "order:1", Kind: "approve", Body: body})
		require.NoError(t, err)
		require.True(t, added)

		d := receive(t, got)
		require.Equal(t, Job{ID: "1", Lane: "order:1", Kind: "approve", Body: body}, d.Job)
		require.True(t, d.First)
		require.Equal(t, 1, d.Deliveries)
		require.Zero(t, d.Attempt)
		require.Nil(t, d.State)
		require.WithinRange(t, d.PutAt, before, time.Now())

		settled(t, q)
		require.Zero(t, rdb.XLen(t.Context(), q.space.key("stream")).Val(), "the stream is trimmed as tokens are used up")
		require.Zero(t, rdb.Exists(t.Context(), q.space.key("job:1"), q.space.key("lane:order:1"), q.space.key("claim:order:1"), q.space.key("tokens")).Val())
	})
}

func TestPutRefusesWhatIsNoJob(t *testing.T) {
	q := newQueue(t, embedded(t), Options{})
	for name, j := range map[string]Job{
		"no id":   {Lane: "l", Kind: "k"},
		"no lane": {ID: "1", Kind: "k"},
		"no kind": {ID: "1", Lane: "l"},
		"no json": {ID: "1", Lane: "l", Kind: "k", Body: json.RawMessage(`{`)},
	} {
		_, err := q.Put(t.Context(), j)
		require.ErrorIs(t, err, ErrInvalidJob, name)
	}
}

func TestPuttingTwiceAddsOnce(t *testing.T) {
	everyRedis(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		q := newQueue(t, rdb, Options{})
		again := func(why string) {
			added, err := q.Put(t.Context(), job("a/1"))
			require.NoError(t, err)
			require.False(t, added, why)
			added, err = q.PutAfter(t.Context(), job("a/1"), time.Hour)
			require.NoError(t, err)
			require.False(t, added, why)
		}
		put(t, q, "a/1")
		again("while it waits for a worker")
		runs := make(chan string, 10)
		running(t, q, func(_ context.Context, d *Delivery) error { runs <- d.ID; return nil })
		require.Equal(t, "a/1", receive(t, runs))
		settled(t, q)
		again("after it is done")
		put(t, q, "a/2")
		require.Equal(t, "a/2", receive(t, runs))
		require.InDelta(t, idempotencyTTL, rdb.PTTL(t.Context(), q.space.key("seen:a/1")).Val(), float64(time.Minute))
	})
}

func TestAnIdIsForgottenAfter25Hours(t *testing.T) {
	bubble(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		q := newQueue(t, rdb, Options{})
		put(t, q, "a/1", "a/2")
		stop := running(t, q, func(_ context.Context, d *Delivery) error {
			if d.ID == "a/2" {
				return Dead(errors.New("no"))
			}
			return nil
		})
		settled(t, q)
		require.NoError(t, stop())

		wait(t.Context(), idempotencyTTL-time.Minute)
		added, err := q.Put(t.Context(), job("a/1"))
		require.NoError(t, err)
		require.False(t, added)

		wait(t.Context(), time.Minute)
		added, err = q.Put(t.Context(), job("a/1"))
		require.NoError(t, err)
		require.True(t, added)
		added, err = q.Put(t.Context(), job("a/2"))
		require.NoError(t, err)
		require.False(t, added, "a dead letter is known as long as it is kept")
	})
}

func TestAPutWhoseAnswerWasLostIsAnsweredTheSameAgain(t *testing.T) {
	everyRedis(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		q := newQueue(t, rdb, Options{})
		args := q.PutArgs(t.Context(), job("a/1"))
		for range 2 {
			n, err := q.space.script(t.Context(), "put", args).Int()
			require.NoError(t, err)
			require.Equal(t, 1, n)
		}
		stats, err := q.Inspector().Stats(t.Context())
		require.NoError(t, err)
		require.Equal(t, Stats{Jobs: 1, Lanes: 1}, stats)
	})
}

func TestAnotherScriptPutsAJobInItsOwnStep(t *testing.T) {
	everyRedis(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		q := newQueue(t, rdb, Options{})
		got := make(chan *Delivery, 1)
		running(t, q, func(_ context.Context, d *Delivery) error { got <- d; return nil })
		room := fstest.MapFS{"lua/approve.lua": {Data: []byte("-- KEYS: order\n-- USES: put\n" +
			"redis.call('HSET', order, 'status', a.status)\nreturn queue_put(a.job)")}}
		keys := script.Keys{"order": q.Keyspace().Key("order", q.o.Name)}
		args := script.Args{"status": "approved", "job": q.PutArgs(t.Context(), job("a/1"))}
		n, err := script.Load(room, Lua).Run(t.Context(), rdb, "approve", keys, args).Int()
		require.NoError(t, err)
		require.Equal(t, 1, n)
		require.Equal(t, job("a/1"), receive(t, got).Job)
	})
}

func TestPuttingIntoAFullQueueOfStrangersWorks(t *testing.T) {
	everyRedis(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		one, two := newQueue(t, rdb, Options{}), newQueue(t, rdb, Options{})
		put(t, one, "a/1")
		put(t, two, "a/1")
		runs := make(chan string, 2)
		running(t, two, func(_ context.Context, d *Delivery) error { runs <- d.ID; return nil })
		receive(t, runs)
		settled(t, two)
		stats, err := one.Inspector().Stats(t.Context())
		require.NoError(t, err)
		require.Equal(t, 1, stats.Jobs, "queues of different names share nothing")
	})
}

func TestALaneHasOneTokenAndAStaleOneIsThrownAway(t *testing.T) {
	everyRedis(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		q := newQueue(t, rdb, Options{})
		put(t, q, "a/1", "a/2", "a/3")
		require.Equal(t, int64(1), rdb.XLen(t.Context(), q.space.key("stream")).Val())

		for _, read := range []string{"", "a"} { // taken over, and read with its lane
			stale := rdb.XAdd(t.Context(), &redis.XAddArgs{Stream: q.space.key("stream"), Values: []string{"lane", "a"}}).Val()
			d, err := q.claims().claimLane(t.Context(), "me", token{entry: stale, lane: read}, "me/1")
			require.NoError(t, err)
			require.Nil(t, d)
			require.Equal(t, int64(1), rdb.XLen(t.Context(), q.space.key("stream")).Val())
		}
	})
}
