package store_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/store"
	"darkroom/store/conn"
	"darkroom/store/queue"
	"darkroom/store/storetest"
)

// replicated is a Redis with one replica that must have what is written.
func replicated(t *testing.T, query string) (rdb redis.UniversalClient, main, replica *storetest.Server) {
	t.Helper()
	main, replica = storetest.Start(t), storetest.Start(t)
	replica.Follow(main)
	rdb, err := conn.Connect(main.URL() + query)
	require.NoError(t, err)
	t.Cleanup(func() { _ = rdb.Close() })
	return rdb, main, replica
}

func aJob(id string) queue.Job { return queue.Job{ID: id, Lane: "lane of " + id, Kind: "k"} }

func TestAWriteCountsOnceReplicasHaveIt(t *testing.T) {
	t.Parallel()
	rdb, main, replica := replicated(t, "?wait_replicas=1&wait_timeout=600ms")
	q := queue.New(rdb, queue.Options{Logger: slog.New(slog.DiscardHandler)})
	require.Eventually(t, func() bool { return q.Ready(t.Context()) == nil }, 30*time.Second, 10*time.Millisecond, "the replica keeps up")
	s := store.New(rdb, q)
	added, err := q.Put(t.Context(), aJob("one"))
	require.NoError(t, err)
	require.True(t, added)
	require.EqualValues(t, 1, replica.Client().Exists(t.Context(), "{darkroom}:q:job:one").Val(), "when it is taken, the replica has it")
	place(t, s, "order")

	replica.Freeze()
	_, err = q.Put(t.Context(), aJob("two"))
	require.ErrorIs(t, err, queue.ErrUnconfirmed)
	require.True(t, queue.Away(err), "it is waited for as for an outage")
	_, err = q.Put(t.Context(), aJob("two"))
	require.ErrorIs(t, err, queue.ErrUnconfirmed, "that it is known already confirms nothing")
	for what, err := range map[string]error{
		"note": s.Documents.PutTTL(t.Context(), "n", "v", time.Minute), "ready": q.Ready(t.Context()),
		"intent": s.Changes.Intend(t.Context(), "order", order.Intent{Job: "j"}),
	} {
		require.ErrorIs(t, err, queue.ErrUnconfirmed, what)
	}
	_, err = s.Orders.Order(t.Context(), "order")
	require.NoError(t, err, "nothing is written")
	_, err = q.Inspector().Stats(t.Context())
	require.NoError(t, err, "nor by a script that only reads")
	together := func(writes bool) error {
		_, err := rdb.Pipelined(t.Context(), func(p redis.Pipeliner) error {
			p.HGet(t.Context(), "{darkroom}:y", "none") // no value is an answer
			if writes {
				p.Set(t.Context(), "{darkroom}:x", 1, 0)
			}
			return nil
		})
		return err
	}
	require.ErrorIs(t, together(false), redis.Nil)
	require.ErrorIs(t, together(true), queue.ErrUnconfirmed)
	require.EqualValues(t, 1, main.Client().Exists(t.Context(), "{darkroom}:q:job:two").Val())

	replica.Thaw()
	require.Eventually(t, func() bool { return q.Ready(t.Context()) == nil }, 30*time.Second, 10*time.Millisecond)
	added, err = q.Put(t.Context(), aJob("two"))
	require.NoError(t, err)
	require.False(t, added, "it was put before: once")
}

// WAIT is promised to tell of what its connection wrote before it: it comes last, behind a write of our own.
func TestAWriteIsWaitedForBehindOneMore(t *testing.T) {
	t.Parallel()
	rdb, _, _ := replicated(t, "?wait_replicas=1&wait_timeout=600ms")
	var sent []string
	rdb.AddHook(hooked{pipeline: func(cmds []redis.Cmder) { sent = append(sent, fmt.Sprint(cmds)) }})
	require.NoError(t, rdb.Set(t.Context(), "{other}:x", 1, 0).Err())
	require.NotEmpty(t, sent)
	require.Regexp(t, `^\[set \{other}:x 1: \S* set \{other}:confirm 1: \S* wait 1 600: \d+\]$`, sent[0])
}

func TestWhatReachedNoServerIsNotCalledUnconfirmed(t *testing.T) {
	t.Parallel()
	locked := storetest.Start(t)
	require.NoError(t, locked.Client().ConfigSet(t.Context(), "requirepass", "s3cret").Err())
	for url, want := range map[string]string{"redis://127.0.0.1:1": "refused", strings.Replace(locked.URL(), "//", "//:wrong@", 1): "WRONGPASS"} {
		rdb, err := conn.Connect(url + "?wait_replicas=1&max_retries=-1")
		require.NoError(t, err)
		t.Cleanup(func() { _ = rdb.Close() })
		for what, err := range map[string]error{
			"a write":       rdb.Set(t.Context(), "{darkroom}:x", 1, 0).Err(),
			"a transaction": newStore(rdb).OwnPosts.NoteOwnPost(t.Context(), "C", store.OwnPost{TS: "1.2", Metadata: []byte(`{}`)}),
		} {
			require.ErrorContains(t, err, want, what)
			require.NotErrorIs(t, err, queue.ErrUnconfirmed, what)
		}
	}
}

// An earlier try wrote over another connection, and its replica is slow, not gone: the next try
// finds the work done and writes nothing, so that its own connection has nothing to wait for.
func TestWhatIsFoundDoneIsConfirmedToo(t *testing.T) {
	t.Parallel()
	rdb, main, replica := replicated(t, "?wait_replicas=1&wait_timeout=600ms")
	q := queue.New(rdb, queue.Options{Logger: slog.New(slog.DiscardHandler)})
	require.Eventually(t, func() bool { return q.Ready(t.Context()) == nil }, 30*time.Second, 10*time.Millisecond, "so that a connection is there which owes nothing")
	replica.Freeze()
	_, err := queue.New(main.Client(), queue.Options{}).Put(t.Context(), aJob("one")) // over another
	require.NoError(t, err)
	_, err = q.Put(t.Context(), aJob("one"))
	require.ErrorIs(t, err, queue.ErrUnconfirmed)
	replica.Thaw()
}

// A handler that marks what it is about to do goes on only when the mark is confirmed.
func TestNoHandlerGoesOnWithoutItsMark(t *testing.T) {
	t.Parallel()
	rdb, _, replica := replicated(t, "?wait_replicas=1&wait_timeout=600ms")
	q := queue.New(rdb, queue.Options{Logger: slog.New(slog.DiscardHandler), Lease: time.Second})
	_, err := q.Put(t.Context(), aJob("one"))
	require.NoError(t, err)
	marked, sent := make(chan error, 100), make(chan struct{}, 100)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	var freeze sync.Once
	go func() {
		ended <- q.Run(ctx, func(ctx context.Context, d *queue.Delivery) error {
			freeze.Do(replica.Freeze) // not again when a slow machine has lost the claim, and the mark with it
			err := d.SetState(ctx, "sending")
			marked <- err
			if err != nil {
				return queue.Wait(10 * time.Millisecond) // the error itself would mean five seconds
			}
			sent <- struct{}{}
			return nil
		})
	}()
	t.Cleanup(func() { replica.Thaw(); stop(); require.NoError(t, <-ended) })
	require.ErrorIs(t, <-marked, queue.ErrUnconfirmed)
	require.Empty(t, sent)
	replica.Thaw()
	for err = range marked {
		if err == nil {
			break
		}
		require.ErrorIs(t, err, queue.ErrUnconfirmed)
	}
	<-sent
	require.Empty(t, sent, "once")
}

func TestWaitOptionsOfEveryForm(t *testing.T) {
	t.Parallel()
	for _, url := range []string{
		"redis://:pw@127.0.0.1:6379/2?wait_replicas=1", "rediss://127.0.0.1?wait_timeout=2s&wait_replicas=2&pool_size=3",
		"unix:///run/redis.sock?db=1&wait_replicas=1", "redis://127.0.0.1:26379?master_name=main&wait_replicas=1&addr=127.0.0.2:26379",
		"redis+sentinel://127.0.0.1:26379?master_name=main&wait_replicas=1&wait_timeout=1ms",
		"redis://127.0.0.1:6379?addr=127.0.0.2:6379&wait_replicas=1", "rediss+cluster://127.0.0.1:6379?wait_replicas=1",
	} {
		rdb, err := conn.Connect(url)
		require.NoError(t, err, url)
		require.NoError(t, rdb.Close())
	}
	for _, wrong := range []string{
		"wait_replicas=0", "wait_replicas=-1", "wait_replicas=many", "wait_replicas=", "wait_replicas=1&wait_replicas=2", "wait_timeout=500ms",
		"wait_replicas=1&wait_timeout=0", "wait_replicas=1&wait_timeout=-1s", "wait_replicas=1&wait_timeout=500", "wait_replicas=1&wait_timeout=3s",
		"wait_replicas=1&wait_time=1s", "wait_for=1",
	} {
		for _, form := range []string{"redis://:s3cret@host?", "unix:///s?", "redis+sentinel://h?master_name=m&", "redis+cluster://h?"} {
			_, err := conn.Connect(form + wrong)
			require.ErrorIs(t, err, conn.ErrWait, form+wrong)
			assert.NotContains(t, err.Error(), "s3cret")
		}
	}
}

func TestDurabilitySaysForWhomItWaits(t *testing.T) {
	t.Parallel()
	rdb, main, _ := replicated(t, "?wait_replicas=1&wait_timeout=600ms")
	says := func(rdb redis.UniversalClient) string {
		return strings.Join(newStore(rdb).Server.Durability(t.Context()), " ")
	}
	require.Contains(t, says(rdb), "rarer, not impossible")
	require.Contains(t, says(main.Client()), "?wait_replicas=1 in REDIS_URL makes it rarer")
	two, err := conn.Connect(main.URL() + "?wait_replicas=2")
	require.NoError(t, err)
	t.Cleanup(func() { _ = two.Close() })
	require.Contains(t, says(two), "wait_replicas=2 and Redis has 1")
}
