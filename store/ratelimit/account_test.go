package ratelimit_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/store/keyspace"
	"darkroom/store/ratelimit"
	"darkroom/store/storetest"
)

const account = "acc1"

// accounts returns the limits of one replica.
func (o *office) accounts(perSecond int) *ratelimit.Accounts {
	return ratelimit.NewAccounts(o.rdb, func(string) keyspace.Keyspace { return keyspace.New("darkroom:03") }, perSecond)
}

// The rate holds for an account that workspaces on several replicas share.
func TestWorkspacesKeepOnePaceAtTheirAccount(t *testing.T) {
	t.Parallel()
	for _, perSecond := range []int{1, 5, 30} {
		for seed := range uint64(3) {
			inOffice(t, func(o *office) {
				dice := rand.New(rand.NewPCG(seed, uint64(perSecond))) //nolint:gosec // a test's
				ctx, over := context.WithTimeout(o.t.Context(), time.Minute)
				defer over()
				var callers sync.WaitGroup
				for range 3 { // replicas, each with workspaces that have people and a poll
					accounts := o.accounts(perSecond)
					for range 2 {
						mine, flock, rest, calls := accounts.Of(account), 1+dice.IntN(2*perSecond), upTo(dice, 20*time.Second), dice.IntN(100)
						callers.Go(func() {
							for ctx.Err() == nil {
								o.call(mine.People(), flock)
								<-time.After(rest)
							}
						})
						callers.Go(func() {
							for ctx.Err() == nil {
								mine.Background().Expect(calls)
								o.call(mine.Background(), calls)
								<-time.After(rest / 4)
							}
						})
					}
				}
				callers.Wait()
				for _, stretch := range []time.Duration{time.Second, 5 * time.Second, 20 * time.Second, time.Minute} {
					allowed := int(stretch.Seconds())*perSecond + perSecond + 2*min(10*perSecond, 64) + 1
					require.LessOrEqual(o.t, o.most(stretch), allowed, "%d/s, seed %d, %s", perSecond, seed, stretch)
				}
			})
		}
	}
}

// taken counts the calls of workspaces that call as often as they can, with that many calls at once.
func (o *office) taken(kind func(r *ratelimit.Account) *ratelimit.Share, atOnce ...int) []int64 {
	ctx, over := context.WithTimeout(o.t.Context(), time.Minute)
	defer over()
	var callers sync.WaitGroup
	shares := make([]*ratelimit.Share, len(atOnce))
	for i, n := range atOnce {
		shares[i] = kind(o.accounts(5).Of(account)) // each on a replica of its own
		shares[i].Expect(1000)
		for range n {
			callers.Go(func() {
				for shares[i].Wait(ctx) == nil { // until the time is over
				}
			})
		}
	}
	callers.Wait()
	taken := make([]int64, len(shares))
	for i, s := range shares {
		taken[i], _ = s.Taken()
	}
	return taken
}

// Workspaces that compete get equal parts, however many calls each of them has.
func TestWorkspacesGetEqualPartsOfTheirAccount(t *testing.T) {
	t.Parallel()
	for name, kind := range map[string]func(r *ratelimit.Account) *ratelimit.Share{
		"people": (*ratelimit.Account).People, "background": (*ratelimit.Account).Background,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inOffice(t, func(o *office) {
				taken := o.taken(kind, 40, 1, 8, 1)
				for _, n := range taken {
					assert.InDelta(o.t, 75, n, 6, "a quarter of a minute's 300: %v", taken)
				}
			})
		})
	}
}

// The reserved slots of one workspace's poll do not delay the people of another.
func TestPeopleOfOneWorkspaceDoNotWaitForThePollOfAnother(t *testing.T) {
	t.Parallel()
	for _, perSecond := range []int{1, 5, 100} {
		inOffice(t, func(o *office) {
			var polls sync.WaitGroup
			ctx, over := context.WithTimeout(o.t.Context(), 10*time.Second)
			defer over()
			for range 20 {
				turns := o.accounts(perSecond).Of(account).Background()
				polls.Go(func() {
					turns.Expect(1000)
					for turns.Wait(ctx) == nil { // until the time is over
					}
				})
			}
			<-time.After(3 * time.Second)
			for _, wait := range o.call(o.accounts(perSecond).Of(account).People(), perSecond) {
				assert.Zero(o.t, wait, "%d/s", perSecond)
			}
			polls.Wait()
		})
	}
}

func TestTheBackgroundOfAnAccountWaitsWhilePeopleTakeTheRate(t *testing.T) {
	t.Parallel()
	inOffice(t, func(o *office) {
		o.call(o.accounts(5).Of(account).People(), 5)
		waits := o.call(o.accounts(5).Of(account).Background(), 1)
		assert.Equal(o.t, time.Second, waits[0].Round(10*time.Millisecond), "after the second that people took")
	})
}

// Two accounts are independent.
func TestEachAccountHasAPaceOfItsOwn(t *testing.T) {
	t.Parallel()
	inOffice(t, func(o *office) {
		accounts := o.accounts(1)
		o.call(accounts.Of("a").People(), 1)
		assert.Zero(o.t, o.call(accounts.Of("b").People(), 1)[0])
		assert.NotZero(o.t, o.call(accounts.Of("a").People(), 1)[0])
		keys, err := o.rdb.Keys(o.t.Context(), "*").Result()
		require.NoError(o.t, err)
		assert.ElementsMatch(o.t, []string{"{darkroom:03}:turns:a", "{darkroom:03}:turns:b"}, keys)
	})
}

func TestACallThatIsGivenUpLeavesItsTurnToTheNext(t *testing.T) {
	t.Parallel()
	inOffice(t, func(o *office) {
		turns := o.accounts(1).Of(account).Background()
		o.call(turns, 1)
		for range 20 {
			soon, cancel := context.WithTimeout(o.t.Context(), time.Millisecond)
			require.ErrorIs(o.t, turns.Wait(soon), context.DeadlineExceeded)
			cancel()
		}
		_, batches := turns.Taken()
		assert.EqualValues(o.t, 2, batches)
		assert.LessOrEqual(o.t, o.call(turns, 1)[0], time.Second)
	})
}

// A canceled call wastes no slot: the next workspace that needs one uses it in time.
func TestATurnThatIsGivenUpIsAnotherWorkspaces(t *testing.T) {
	t.Parallel()
	inOffice(t, func(o *office) {
		accounts := o.accounts(1)
		began := time.Now()
		soon, cancel := context.WithTimeout(o.t.Context(), time.Second/2)
		defer cancel()
		var callers sync.WaitGroup
		for range 30 { // the first has its turn at once
			callers.Go(func() { _ = accounts.Of(account).Background().Wait(soon) })
		}
		callers.Wait()
		o.call(accounts.Of(account).Background(), 10)
		assert.Equal(o.t, 10*time.Second, time.Since(began).Round(time.Second/10), "not those behind the thirty")
		<-time.After(10 * time.Second)
		late := time.Now()
		o.call(accounts.Of(account).Background(), 2)
		assert.GreaterOrEqual(o.t, time.Since(late), time.Second-time.Millisecond, "what nobody needed at its time is gone")
	})
}

// A slot that a poll gives back may be late: people do not use it.
func TestATurnThatAPollGaveUpIsNoPersons(t *testing.T) {
	t.Parallel()
	inOffice(t, func(o *office) {
		accounts := o.accounts(1)
		soon, cancel := context.WithTimeout(o.t.Context(), time.Second/2)
		defer cancel()
		var callers sync.WaitGroup
		for range 20 {
			callers.Go(func() { _ = accounts.Of(account).Background().Wait(soon) })
		}
		callers.Wait()
		<-time.After(2 * time.Second)
		assert.Zero(o.t, o.call(accounts.Of(account).People(), 1)[0])
	})
}

// The next person of the workspace uses the slot of one who canceled.
func TestATurnThatAPersonGivesUpIsTheNextOnesOfTheirWorkspace(t *testing.T) {
	t.Parallel()
	inOffice(t, func(o *office) {
		turns := o.accounts(1).Of(account).People()
		began := time.Now()
		o.call(turns, 2)
		for range 5 {
			soon, cancel := context.WithTimeout(o.t.Context(), time.Millisecond)
			require.ErrorIs(o.t, turns.Wait(soon), context.DeadlineExceeded)
			cancel()
		}
		o.call(turns, 1)
		assert.Equal(o.t, 2*time.Second, time.Since(began).Round(time.Second/10))
	})
}

// A slot is reserved as far ahead as a poll may wait. For later slots the caller asks again.
func TestNoTurnIsReservedFurtherAheadThanAPollLasts(t *testing.T) {
	t.Parallel()
	inOffice(t, func(o *office) {
		var callers sync.WaitGroup
		for range 90 {
			callers.Go(func() { o.call(o.accounts(1).Of(account).Background(), 1) })
		}
		<-time.After(time.Second)
		left, err := o.rdb.PTTL(o.t.Context(), "{darkroom:03}:turns:"+account).Result()
		require.NoError(o.t, err)
		assert.LessOrEqual(o.t, left, 62*time.Second, "a minute, a turn, and a second")
		callers.Wait()
		assert.Len(o.t, o.calls, 90)
		assert.LessOrEqual(o.t, o.most(10*time.Second), 12)
	})
}

// However many workspaces' polls have turns that are reserved, a person waits for none of them, and for no more than ten
// seconds of other people's.
func TestPeopleComeBeforeAMinuteOfPolls(t *testing.T) {
	t.Parallel()
	inOffice(t, func(o *office) {
		ctx, over := context.WithTimeout(o.t.Context(), time.Minute)
		defer over()
		var callers sync.WaitGroup
		for range 400 {
			callers.Go(func() { _ = o.accounts(5).Of(account).Background().Wait(ctx) })
		}
		<-time.After(time.Second)
		for range 20 {
			assert.Zero(o.t, o.call(o.accounts(5).Of(account).People(), 1)[0])
			<-time.After(time.Second / 5)
		}
		for range 80 {
			callers.Go(func() { _ = o.accounts(5).Of(account).People().Wait(ctx) })
		}
		<-time.After(time.Second / 5)
		kept, err := o.rdb.Get(o.t.Context(), "{darkroom:03}:turns:"+account).Result()
		require.NoError(o.t, err)
		var people, all int64
		_, err = fmt.Sscan(kept, &people, &all)
		require.NoError(o.t, err)
		assert.LessOrEqual(o.t, time.Until(time.UnixMicro(people)), 12*time.Second)
		callers.Wait()
	})
}

// A canceled caller learns that the service was not called.
func TestACallWithoutATurnWasNotAsked(t *testing.T) {
	t.Parallel()
	inOffice(t, func(o *office) {
		mine := o.accounts(1).Of(account).Background()
		require.NoError(o.t, mine.Wait(o.t.Context()))
		soon, cancel := context.WithTimeout(o.t.Context(), time.Second/10)
		defer cancel()
		err := mine.Wait(soon)
		require.ErrorIs(o.t, err, ratelimit.ErrNoSlot)
		require.ErrorIs(o.t, err, context.DeadlineExceeded)
	})
}

func TestWithoutRedisAnAccountsRateIsKeptByEachReplica(t *testing.T) {
	t.Parallel()
	rdb := redis.NewClient(&redis.Options{Addr: "127.0.0.1:1", MaxRetries: -1, DialerRetries: 1, ContextTimeoutEnabled: true})
	defer func() { _ = rdb.Close() }()
	accounts := ratelimit.NewAccounts(rdb, func(string) keyspace.Keyspace { return keyspace.Keyspace{} }, 20)
	started := time.Now()
	for range 12 { // two workspaces, one pace
		require.NoError(t, accounts.Of(account).People().Wait(t.Context()))
		require.NoError(t, accounts.Of(account).Background().Wait(t.Context()))
		runtime.Gosched()
	}
	assert.Greater(t, time.Since(started), 150*time.Millisecond)
}

func TestAnAccountsClockThatJumpsBackStopsNobody(t *testing.T) {
	storetest.Each(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		far := time.Now().Add(time.Hour).UnixMicro()
		require.NoError(t, rdb.Set(t.Context(), "{darkroom:03}:turns:"+account, fmt.Sprintf("%d %d", far, far), time.Hour).Err())
		r := ratelimit.NewAccounts(rdb, func(string) keyspace.Keyspace { return keyspace.New("darkroom:03") }, 100).Of(account)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		require.NoError(t, r.People().Wait(ctx))
		require.NoError(t, r.Background().Wait(ctx))
	})
}
