package carry_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/store/carry"
	"darkroom/store/storetest"
)

func TestTheScriptsKeepWhatTheyPromise(t *testing.T) { storetest.Scripts(t) }

// aRedis is a Redis that can copy keys, and the node of it that has the old ones.
func aRedis(t *testing.T) (redis.UniversalClient, redis.Cmdable) {
	t.Helper()
	storetest.Need(t)
	if os.Getenv("DARKROOM_TEST_REDIS") == "embedded" {
		t.Skip("the embedded Redis copies no keys")
	}
	rdb := storetest.Client(t)
	if cluster, is := rdb.(*redis.ClusterClient); is {
		node, err := cluster.MasterForKey(t.Context(), "{old}:")
		require.NoError(t, err)
		return rdb, node
	}
	return rdb, rdb
}

func named(key string) string { return "{new}:" + strings.TrimPrefix(key, "{old}:") }

func all(string) bool { return true }

// TestAKeyKeepsItsValueAndItsEnd: of every type, with bytes that are no text.
func TestAKeyKeepsItsValueAndItsEnd(t *testing.T) {
	t.Parallel()
	rdb, node := aRedis(t)
	ctx := t.Context()
	require.NoError(t, rdb.Set(ctx, "{old}:string", "\x00\xff{\"a\"}", time.Hour).Err())
	require.NoError(t, rdb.HSet(ctx, "{old}:hash", "a", "1").Err())
	require.NoError(t, rdb.RPush(ctx, "{old}:list", "b", "a").Err())
	require.NoError(t, rdb.SAdd(ctx, "{old}:set", "a", "b").Err())
	require.NoError(t, rdb.ZAdd(ctx, "{old}:sorted", redis.Z{Score: 1.5, Member: "a"}).Err())
	require.NoError(t, rdb.Set(ctx, "{new}:string", "of an attempt that was cut off", 0).Err())
	require.NoError(t, rdb.Set(ctx, "{old}:stays", "here", 0).Err())

	c := carry.New(rdb, node, "{new}:moving")
	require.NoError(t, c.Begin(ctx))
	takes := func(key string) bool { return key != "{old}:stays" }
	require.NoError(t, c.Each(ctx, "{old}:*", takes, func(ctx context.Context, keys []string) error { return c.Move(ctx, keys, named) }))
	require.NoError(t, c.Move(ctx, []string{"{old}:gone"}, named))
	require.NoError(t, c.End(ctx))

	require.Equal(t, "\x00\xff{\"a\"}", rdb.Get(ctx, "{new}:string").Val())
	left := rdb.PTTL(ctx, "{new}:string").Val()
	require.Positive(t, left)
	require.LessOrEqual(t, left, time.Hour)
	require.Equal(t, map[string]string{"a": "1"}, rdb.HGetAll(ctx, "{new}:hash").Val())
	require.Negative(t, rdb.PTTL(ctx, "{new}:hash").Val(), "it never ended")
	require.Equal(t, []string{"b", "a"}, rdb.LRange(ctx, "{new}:list", 0, -1).Val())
	require.ElementsMatch(t, []string{"a", "b"}, rdb.SMembers(ctx, "{new}:set").Val())
	require.Equal(t, []redis.Z{{Score: 1.5, Member: "a"}}, rdb.ZRangeWithScores(ctx, "{new}:sorted", 0, -1).Val())
	require.Equal(t, "here", rdb.Get(ctx, "{old}:stays").Val())
	require.Zero(t, rdb.Exists(ctx, "{old}:string", "{old}:hash", "{old}:list", "{old}:set", "{old}:sorted").Val())
	require.Zero(t, rdb.Exists(ctx, "{new}:moving", "{new}:gone").Val())
}

// TestOneThatWasTakenOverWritesNothing: it slept, and another went on meanwhile, or came to the end.
func TestOneThatWasTakenOverWritesNothing(t *testing.T) {
	t.Parallel()
	rdb, node := aRedis(t)
	ctx := t.Context()
	require.NoError(t, rdb.Set(ctx, "{old}:a", "old", 0).Err())
	require.NoError(t, rdb.Set(ctx, "{new}:a", "newer", 0).Err())
	one, two := carry.New(rdb, node, "{new}:moving"), carry.New(rdb, node, "{new}:moving")
	require.NoError(t, one.Begin(ctx))
	require.NoError(t, two.Begin(ctx))
	require.ErrorIs(t, one.Move(ctx, []string{"{old}:a"}, named), carry.ErrTakenOver)
	require.ErrorIs(t, one.End(ctx), carry.ErrTakenOver)
	require.NoError(t, two.End(ctx))
	require.ErrorIs(t, one.Move(ctx, []string{"{old}:a"}, named), carry.ErrTakenOver)
	require.Equal(t, "newer", rdb.Get(ctx, "{new}:a").Val())
	require.Equal(t, "old", rdb.Get(ctx, "{old}:a").Val(), "what was not written is not removed")
}

// TestAWalkEndsWhenNothingIsLeft, and with the first mistake.
func TestAWalkEndsWhenNothingIsLeft(t *testing.T) {
	t.Parallel()
	rdb, node := aRedis(t)
	ctx := t.Context()
	for i := range 350 {
		require.NoError(t, rdb.Set(ctx, fmt.Sprintf("{old}:%d", i), i, 0).Err())
	}
	c := carry.New(rdb, node, "{new}:moving")
	require.NoError(t, c.Begin(ctx))
	broken := errors.New("broken")
	require.ErrorIs(t, c.Each(ctx, "{old}:*", all, func(context.Context, []string) error { return broken }), broken)
	late := false
	require.NoError(t, c.Each(ctx, "{old}:*", all, func(ctx context.Context, keys []string) error {
		if !late { // it comes behind the walk, or before it
			late = true
			require.NoError(t, rdb.Set(ctx, "{old}:late", 1, 0).Err())
		}
		return c.Move(ctx, keys, named)
	}))
	for i := range 350 {
		require.Equal(t, fmt.Sprint(i), rdb.Get(ctx, fmt.Sprintf("{new}:%d", i)).Val())
	}
	require.Equal(t, "1", rdb.Get(ctx, "{new}:late").Val())
}
