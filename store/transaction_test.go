package store_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/store/storetest/topology"
)

// inOneStep writes whatever the store writes in MULTI … EXEC, by what it is for.
func inOneStep(t *testing.T, s *store.Store) map[string]error {
	t.Helper()
	ctx, now := t.Context(), time.Now()
	_, removal := s.Removals.BeginRemoval(ctx, now, false)
	return map[string]error{
		"own posts": s.OwnPosts.NoteOwnPost(ctx, "C", store.OwnPost{TS: "1700000000.000100", Metadata: []byte(`{}`)}),
		"removal":   removal,
	}
}

func TestATransactionCountsOnceReplicasHaveIt(t *testing.T) {
	t.Parallel()
	for _, kind := range []topology.Kind{topology.One, topology.Sentinel, topology.Cluster} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			query := "&wait_replicas=1&wait_timeout=600ms"
			if kind == topology.One {
				query = "?" + query[1:]
			}
			redises, rdb := aTopology(t, topology.Options{Kind: kind, Replicas: 1, Away: 20 * time.Second}, query)
			s := newStore(rdb)
			require.Eventually(t, func() bool { return s.Documents.PutTTL(t.Context(), "n", "v", time.Minute) == nil }, 30*time.Second, 10*time.Millisecond, "the replica keeps up")
			for what, err := range inOneStep(t, s) {
				require.NoError(t, err, what)
			}
			main, err := redises.Main(t.Context(), "{darkroom}:q:stream")
			require.NoError(t, err)
			copies, err := redises.ReplicasOf(t.Context(), main)
			require.NoError(t, err)
			require.Len(t, copies, 1)
			require.NotEmpty(t, ask(t, copies[0]).Keys(t.Context(), "{darkroom}:own-posts:C").Val(), "the replica has it")

			copies[0].Freeze()
			for what, err := range inOneStep(t, s) {
				require.ErrorIs(t, err, queue.ErrUnconfirmed, what)
				require.True(t, queue.Away(err), what)
			}
			copies[0].Thaw()
			require.Eventually(t, func() bool { return inOneStep(t, s)["removal"] == nil }, 30*time.Second, 10*time.Millisecond)
		})
	}
}

// hooked looks at each pipeline before it is sent.
type hooked struct{ pipeline func(cmds []redis.Cmder) }

func (h hooked) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		h.pipeline(cmds)
		return next(ctx, cmds)
	}
}

func (hooked) DialHook(next redis.DialHook) redis.DialHook          { return next }
func (hooked) ProcessHook(next redis.ProcessHook) redis.ProcessHook { return next }

// A failover may fall between the two: who takes over has replicas that confirm, but not what was written.
func TestATransactionThatAnotherServerDoesNotHaveIsNotConfirmed(t *testing.T) {
	t.Parallel()
	rdb, main, _ := replicated(t, "?wait_replicas=1&wait_timeout=600ms")
	var marks []string
	rdb.AddHook(hooked{pipeline: func(cmds []redis.Cmder) {
		if cmds[0].Name() != "pexpire" {
			return
		}
		mark := cmds[0].Args()[1].(string)
		life := main.Client().PTTL(t.Context(), mark).Val()
		assert.Positive(t, life, "it is there, and ends by itself")
		assert.LessOrEqual(t, life, time.Minute)
		marks = append(marks, mark)
		main.Client().FlushAll(t.Context())
	}})
	for what, err := range inOneStep(t, newStore(rdb)) {
		require.ErrorIs(t, err, queue.ErrUnconfirmed, what)
	}
	cmds, err := rdb.TxPipelined(t.Context(), func(p redis.Pipeliner) error {
		p.Set(t.Context(), "{darkroom}:x", 1, 0)
		return p.HGet(t.Context(), "{darkroom}:y", "none").Err()
	})
	require.ErrorIs(t, err, queue.ErrUnconfirmed, "no value is an answer")
	for _, cmd := range cmds {
		require.ErrorIs(t, cmd.Err(), queue.ErrUnconfirmed, cmd.Name())
	}
	require.Len(t, marks, 3, "none goes on after the first that is not confirmed")
	slices.Sort(marks)
	require.Len(t, slices.Compact(marks), 3, "each has its own")
}

// The library asks again when an answer is lost: the server may have done it the first time.
func TestATransactionIsConfirmedAlthoughAnAnswerIsLost(t *testing.T) {
	t.Parallel()
	rdb, main, _ := replicated(t, "?wait_replicas=1")
	rdb.AddHook(hooked{pipeline: func(cmds []redis.Cmder) {
		if strings.Contains(fmt.Sprint(cmds[0].Args()...), ":confirm:") {
			assert.NoError(t, main.Client().Do(t.Context(), cmds[0].Args()...).Err())
		}
	}})
	for what, err := range inOneStep(t, newStore(rdb)) {
		require.NoError(t, err, what)
	}
}

func TestATransactionAnswersAsWithoutReplicas(t *testing.T) {
	t.Parallel()
	rdb, _, _ := replicated(t, "?wait_replicas=1")
	run := func(do func(p redis.Pipeliner)) ([]redis.Cmder, error) {
		return rdb.TxPipelined(t.Context(), func(p redis.Pipeliner) error { do(p); return nil })
	}
	cmds, err := run(func(p redis.Pipeliner) {
		p.Set(t.Context(), "{darkroom}:x", "1", 0)
		p.HGet(t.Context(), "{darkroom}:y", "none")
		p.Incr(t.Context(), "{darkroom}:x")
	})
	require.ErrorIs(t, err, redis.Nil, "the first that has no value")
	require.Len(t, cmds, 3, "nothing of ours is among them")
	require.NoError(t, cmds[0].Err())
	require.EqualValues(t, 2, cmds[2].(*redis.IntCmd).Val())
	cmds, err = run(func(p redis.Pipeliner) {
		p.Incr(t.Context(), "{darkroom}:x")
		p.HSet(t.Context(), "{darkroom}:x", "field", "1")
	})
	require.ErrorContains(t, err, "WRONGTYPE")
	require.EqualValues(t, 3, cmds[0].(*redis.IntCmd).Val(), "what a transaction could do it did")
	_, err = run(func(p redis.Pipeliner) { p.Do(t.Context(), "no such command", "{darkroom}:x") })
	require.ErrorContains(t, err, "EXECABORT")
	require.NotErrorIs(t, err, queue.ErrUnconfirmed, "nothing was written")
}

// While a slot goes to another node of a cluster, that node takes no two new keys at once.
func TestATransactionWaitsForASlotThatMoves(t *testing.T) {
	t.Parallel()
	cluster, rdb := aTopology(t, topology.Options{Kind: topology.Cluster, Replicas: 1, Away: 20 * time.Second}, "&wait_replicas=1&wait_timeout=600ms")
	s := newStore(rdb)
	written := func() bool { return s.Documents.PutTTL(t.Context(), "n", "v", time.Minute) == nil }
	require.Eventually(t, written, 30*time.Second, 10*time.Millisecond, "the replica keeps up")
	require.NoError(t, cluster.Reshard(t.Context(), "{darkroom}:note:n", func(int) error {
		for what, err := range inOneStep(t, s) {
			require.ErrorContains(t, err, "TRYAGAIN", what)
			require.True(t, queue.Away(err), what)
		}
		return nil
	}))
	require.Eventually(t, func() bool { return inOneStep(t, s)["own posts"] == nil }, 30*time.Second, 10*time.Millisecond)
}
