package queue

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// tenants are two that use equal ids and lanes.
var tenants = []string{"T1", "T2"}

// eachTenant has a handler for each tenant.
func eachTenant(handlers map[string]Handler) Handler {
	return func(ctx context.Context, d *Delivery) error { return handlers[d.Tenant](ctx, d) }
}

// requireNothingAside requires that a queue at rest holds nobody's place in a share.
func requireNothingAside(t require.TestingT, rdb redis.UniversalClient, q *Queue) {
	ctx := context.Background()
	require.Empty(t, rdb.HGetAll(ctx, q.space.key("shares")).Val())
	require.Empty(t, rdb.HGetAll(ctx, q.space.key("tokens")).Val())
	for _, tenant := range tenants {
		require.Zero(t, rdb.Exists(ctx, q.space.key("parked", tenant)).Val())
	}
}

// TestTenantsOfOneQueueKeepEverybodysLaws: what holds for a queue holds for each tenant of one, whatever its share and
// though another uses the same ids and lanes.
func TestTenantsOfOneQueueKeepEverybodysLaws(t *testing.T) {
	everyRedis(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		rapid.Check(t, func(rt *rapid.T) {
			one := newQueue(t, rdb, Options{Workers: 3, Share: rapid.IntRange(1, 3).Draw(rt, "share")})
			two := newQueue(t, rdb, one.o)
			played, handlers, witnesses := map[string]plan{}, map[string]Handler{}, map[string]*witness{}
			for _, tenant := range tenants {
				p := plans.Draw(rt, tenant)
				_, _, fates := p.jobs()
				played[tenant], witnesses[tenant] = p, newWitness()
				handlers[tenant] = witnesses[tenant].behave(fates)
			}
			stopOne, stopTwo := running(t, one, eachTenant(handlers)), running(t, two, eachTenant(handlers))
			for _, tenant := range tenants {
				_, order, _ := played[tenant].jobs()
				require.NoError(rt, played[tenant].play(t.Context(), one.In(tenant), order))
			}
			settled(t, one)
			require.NoError(rt, errors.Join(stopOne(), stopTwo()))
			all := 0
			for _, tenant := range tenants {
				byLane, _, fates := played[tenant].jobs()
				require.Empty(rt, witnesses[tenant].check(byLane, true), tenant)
				mortal := 0
				for _, fate := range fates {
					if fate == "dead" {
						mortal++
					}
				}
				letters, err := one.In(tenant).DeadLetters().List(t.Context(), 0)
				require.NoError(rt, err)
				require.Len(rt, letters, mortal)
				all += mortal
			}
			letters, err := one.DeadLetters().List(t.Context(), 0)
			require.NoError(rt, err)
			require.Len(rt, letters, all, "whoever looks at the queue sees everybody's")
			requireNothingAside(rt, rdb, one)
		})
	})
}

// TestNoTenantIsLeftAsideWhenWorkersDie: the share of lanes whose worker died is given on with them.
func TestNoTenantIsLeftAsideWhenWorkersDie(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p, share := plans.Draw(rt, "plan"), rapid.IntRange(1, 3).Draw(rt, "share")
		bubble(t, func(t *testing.T, rdb redis.UniversalClient) {
			t.Helper()
			last := newQueue(t, rdb, Options{Workers: 3, Lease: time.Second, Share: share})
			handlers, witnesses := map[string]Handler{}, map[string]*witness{}
			for _, tenant := range tenants {
				witnesses[tenant] = newWitness()
				handlers[tenant] = witnesses[tenant].work(5 * time.Millisecond)
			}
			for _, ms := range p.deaths {
				q := newMortal(t, rdb, last.o)
				running(t, q, eachTenant(handlers))
				timer := time.AfterFunc(time.Duration(ms)*time.Millisecond, q.kill)
				t.Cleanup(func() { timer.Stop() })
			}
			stop := running(t, last, eachTenant(handlers))
			byLane, order, _ := p.jobs()
			for _, tenant := range tenants {
				require.NoError(t, p.play(t.Context(), last.In(tenant), order))
			}
			settled(t, last)
			require.NoError(t, stop())
			for _, tenant := range tenants {
				require.Empty(t, witnesses[tenant].check(byLane, false), tenant)
			}
			requireNothingAside(t, rdb, last)
		})
	})
}

// TestATenantTakesNoMoreThanItsShare: while a busy one has all that is its own, a quiet one's job is begun at once.
func TestATenantTakesNoMoreThanItsShare(t *testing.T) {
	everyRedis(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		const share, lanes = 3, 40
		q := newQueue(t, rdb, Options{Workers: 8, Share: share})
		var busy, most atomic.Int64
		release, quiet := make(chan struct{}), make(chan string, 1)
		stop := running(t, q, eachTenant(map[string]Handler{
			"busy": func(context.Context, *Delivery) error {
				if n := busy.Add(1); n > most.Load() {
					most.Store(n)
				}
				<-release
				busy.Add(-1)
				return nil
			},
			"quiet": func(_ context.Context, d *Delivery) error { quiet <- d.ID; return nil },
		}))
		for i := range lanes {
			put(t, q.In("busy"), fmt.Sprintf("lane%d/1", i))
		}
		put(t, q.In("quiet"), "a/1")
		require.Equal(t, "a/1", receive(t, quiet))
		require.Eventually(t, func() bool { return busy.Load() == share }, 20*time.Second, time.Millisecond)
		close(release)
		settled(t, q)
		require.NoError(t, stop())
		require.EqualValues(t, share, most.Load())
		requireNothingAside(t, rdb, q)
	})
}

// TestASweepBringsBackWhatTenantsLost: a stream that is deleted takes the tokens with it, and what was counted of them
// is counted anew.
func TestASweepBringsBackWhatTenantsLost(t *testing.T) {
	for _, lost := range []string{"stream", "shares", "parked:T1"} {
		t.Run(lost, func(t *testing.T) {
			everyRedis(t, func(t *testing.T, rdb redis.UniversalClient) {
				t.Helper()
				q := newQueue(t, rdb, Options{Share: 2})
				for i := range 5 {
					put(t, q.In("T1"), fmt.Sprintf("lane%d/1", i))
				}
				put(t, q.In("T2"), "lane0/1")
				require.Equal(t, map[string]string{"T1": "2", "T2": "1"}, rdb.HGetAll(t.Context(), q.space.key("shares")).Val())
				require.EqualValues(t, 3, rdb.LLen(t.Context(), q.space.key("parked", "T1")).Val())
				require.NoError(t, rdb.Del(t.Context(), q.space.key(lost)).Err())
				if lost == "stream" {
					require.NoError(t, rdb.XGroupCreateMkStream(t.Context(), q.space.key("stream"), group, "0").Err())
				}
				require.NoError(t, q.upkeep().sweep(t.Context()))
				require.Equal(t, map[string]string{"T1": "2", "T2": "1"}, rdb.HGetAll(t.Context(), q.space.key("shares")).Val())
				var done atomic.Int64
				stop := running(t, q, func(context.Context, *Delivery) error { done.Add(1); return nil })
				settled(t, q)
				require.NoError(t, stop())
				require.EqualValues(t, 6, done.Load())
				requireNothingAside(t, rdb, q)
			})
		})
	}
}

// TestATenantFindsItsOwnJobsOnly goes through everything that a view can be asked.
func TestATenantFindsItsOwnJobsOnly(t *testing.T) {
	everyRedis(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		ctx := t.Context()
		q := newQueue(t, rdb, Options{Share: 2})
		one, two := q.In("T1"), q.In("T2")
		require.NotEqual(t, one.Keyspace(), two.Keyspace())
		require.NotEqual(t, one.LaneKey("a"), two.LaneKey("a"))
		put(t, one, "a/1", "a/2", "a/3")

		require.False(t, must(two.Inspector().Busy(ctx, "a")))
		require.True(t, must(one.Inspector().Busy(ctx, "a")))
		require.Empty(t, must(two.Inspector().Behind(ctx, "a", 9)))
		behind := must(one.Inspector().Behind(ctx, "a", 9))
		require.Equal(t, []string{"a/2", "a/3"}, []string{behind[0].ID, behind[1].ID})
		require.Equal(t, "a", behind[0].Lane)

		names := func(string) bool { return true }
		node := nodeOf(t, rdb, q.space.key("stream"))
		require.Len(t, must(one.Inspector().Mentioning(ctx, node, names, 9)), 3)
		require.Empty(t, must(two.Inspector().Mentioning(ctx, node, names, 9)))
		put(t, two, "a/1", "a/2", "a/3")

		stop := running(t, q, func(_ context.Context, d *Delivery) error {
			if d.Tenant == "T1" {
				return Dead(errors.New("fate"))
			}
			return nil
		})
		settled(t, q)
		require.NoError(t, stop())
		require.Len(t, must(one.DeadLetters().List(ctx, 0)), 3)
		require.Empty(t, must(two.DeadLetters().List(ctx, 0)))
		letters := must(one.DeadLetters().List(ctx, 1))
		require.Equal(t, "T1", letters[0].Tenant)
		require.Equal(t, "a", letters[0].Lane)
		require.ErrorIs(t, two.DeadLetters().Revive(ctx, "a/1"), ErrNotDead)
		require.ErrorIs(t, two.DeadLetters().Drop(ctx, "a/1"), ErrNotDead)
		require.NoError(t, two.DeadLetters().Forget(ctx, 0, 9))
		require.NoError(t, one.DeadLetters().Drop(ctx, "a/1"))
		require.NoError(t, one.DeadLetters().Revive(ctx, "a/2"))
		left := must(one.DeadLetters().List(ctx, 0))
		require.Len(t, left, 1)
		require.Equal(t, "a/3", left[0].ID)
		require.NoError(t, one.DeadLetters().Forget(ctx, -time.Second, 9))
		require.Empty(t, must(one.DeadLetters().List(ctx, 0)))
		require.Empty(t, must(q.DeadLetters().List(ctx, 0)))
	})
}

// TestAQueueWithoutTenantsHasNone, nor does one with tenants serve nobody in particular.
func TestAQueueWithoutTenantsHasNone(t *testing.T) {
	plain, shared := New(nil, Options{}), New(nil, Options{Share: 1})
	require.NotPanics(t, func() { plain.In("") })
	require.Panics(t, func() { plain.In("T1") })
	for _, name := range []string{"", "T/1", "{T1}"} {
		require.Panics(t, func() { shared.In(name) }, name)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// nodeOf is the Redis that holds a key.
func nodeOf(t *testing.T, rdb redis.UniversalClient, key string) redis.Cmdable {
	t.Helper()
	cluster, is := rdb.(*redis.ClusterClient)
	if !is {
		return rdb
	}
	node, err := cluster.MasterForKey(t.Context(), key)
	require.NoError(t, err)
	return node
}

// TestATenantIsIdleWhileOnlyOthersHaveJobs: what is worked on, what waits behind it and what its share keeps aside count;
// what is not due yet does not, nor do dead letters.
func TestATenantIsIdleWhileOnlyOthersHaveJobs(t *testing.T) {
	everyRedis(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		ctx := t.Context()
		q := newQueue(t, rdb, Options{Share: 1})
		idle := func(tenant string) bool {
			idle, err := q.In(tenant).Inspector().Idle(ctx)
			require.NoError(t, err)
			return idle
		}
		require.True(t, idle("T1"))
		_, err := q.In("T1").PutAfter(ctx, Job{ID: "later", Lane: "l0", Kind: "k"}, time.Hour)
		require.NoError(t, err)
		require.True(t, idle("T1"))
		put(t, q.In("T1"), "l1/a", "l1/b", "l2/c")
		require.False(t, idle("T1"))
		require.True(t, idle("T2"))

		begun, end := make(chan string), make(chan error)
		stop := running(t, q, func(_ context.Context, d *Delivery) error {
			begun <- d.ID
			return <-end
		})
		for n := range 3 {
			<-begun
			require.False(t, idle("T1"), n)
			require.True(t, idle("T2"))
			if n < 2 {
				end <- nil
			} else {
				end <- Dead(errors.New("no"))
			}
		}
		require.Eventually(t, func() bool { return idle("T1") }, 10*time.Second, time.Millisecond)
		require.NoError(t, stop())
	})
}
