package ratelimit_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/store/ratelimit"
	"darkroom/store/storetest"
)

// office runs replicas that call a service, in a synctest bubble.
type office struct {
	t   *testing.T
	rdb redis.UniversalClient

	mu    sync.Mutex
	calls []time.Time
}

// inOffice runs f in a bubble.
func inOffice(t *testing.T, f func(o *office)) {
	t.Helper()
	storetest.Bubble(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		f(&office{t: t, rdb: rdb})
	})
}

// replica returns the rate of one replica.
func (o *office) replica(perSecond int) *ratelimit.Rate {
	return rate(o.rdb, perSecond)
}

// waiter is a class of callers.
type waiter interface {
	Wait(ctx context.Context) error
}

// call makes n calls one after the other, and returns how long each one waited.
func (o *office) call(turns waiter, n int) (waits []time.Duration) {
	for range n {
		asked := time.Now()
		if turns.Wait(o.t.Context()) != nil {
			return waits
		}
		waits = append(waits, time.Since(asked))
		o.mu.Lock()
		o.calls = append(o.calls, time.Now())
		o.mu.Unlock()
	}
	return waits
}

// most returns the highest number of calls in any period of that length.
func (o *office) most(stretch time.Duration) (most int) {
	slices.SortFunc(o.calls, time.Time.Compare)
	for i, from := range o.calls {
		within := o.calls[i:]
		n, _ := slices.BinarySearchFunc(within, from.Add(stretch), time.Time.Compare)
		most = max(most, n)
	}
	return most
}

func TestABatchOfTurnsCostsRedisOneCall(t *testing.T) {
	t.Parallel()
	rdb := storetest.Start(t).Client()
	require.NoError(t, rate(rdb, 5000).Background().Wait(t.Context())) // the script is there by now
	for _, test := range []struct{ expected, batches int64 }{{64, 1}, {128, 2}, {10, 1}, {1000, 16}} {
		r := rate(rdb, 5000).Background()
		before := storetest.Spending(t, rdb)
		r.Expect(int(test.expected))
		for range test.expected {
			require.NoError(t, r.Wait(t.Context()))
		}
		taken, batches := r.Taken()
		assert.Equal(t, test.expected, taken)
		assert.Equal(t, test.batches, batches)
		assert.EqualValues(t, 4*test.batches, storetest.Spending(t, rdb).Less(before).Commands, "evalsha, time, get, set")
	}
}

// The rate: on any number of replicas, no period has more calls than
// the rate allows, plus a second's calls and two batches.
func TestTheRateHoldsOverAllReplicas(t *testing.T) {
	t.Parallel()
	for _, perSecond := range []int{1, 5, 30} {
		for seed := range uint64(3) {
			inOffice(t, func(o *office) {
				dice := rand.New(rand.NewPCG(seed, uint64(perSecond))) //nolint:gosec // a test's
				ctx, over := context.WithTimeout(o.t.Context(), time.Minute)
				defer over()
				var callers sync.WaitGroup
				for range 3 { // replicas, each with people who come in flocks
					people, flock, rest := o.replica(perSecond).People(), 1+dice.IntN(4*perSecond), upTo(dice, 20*time.Second)
					callers.Go(func() {
						for ctx.Err() == nil {
							o.call(people, flock)
							<-time.After(rest)
						}
					})
				}
				callers.Go(func() { o.poll(ctx, dice, perSecond) })
				callers.Wait()
				for _, stretch := range []time.Duration{time.Second, 5 * time.Second, 20 * time.Second, time.Minute} {
					allowed := int(stretch.Seconds())*perSecond + perSecond + 2*min(10*perSecond, 64) + 1
					require.LessOrEqual(o.t, o.most(stretch), allowed, "%d/s, seed %d, %s", perSecond, seed, stretch)
				}
			})
		}
	}
}

func upTo(dice *rand.Rand, d time.Duration) time.Duration {
	return time.Duration(dice.Int64N(int64(d)))
}

// poll polls on one replica after the other, each tick with some calls, some of them cut short.
func (o *office) poll(ctx context.Context, dice *rand.Rand, perSecond int) {
	for ctx.Err() == nil {
		turns := o.replica(perSecond).Background()
		for range dice.IntN(4) {
			expected := dice.IntN(300)
			turns.Expect(expected)
			o.call(turns, dice.IntN(expected+1))
			<-time.After(upTo(dice, 5*time.Second))
		}
	}
}

func TestPeopleNeverWaitBehindABatch(t *testing.T) {
	t.Parallel()
	for _, perSecond := range []int{1, 5, 100} {
		inOffice(t, func(o *office) {
			here, there := o.replica(perSecond), o.replica(perSecond)
			var tick sync.WaitGroup
			tick.Go(func() {
				here.Background().Expect(200)
				o.call(here.Background(), 200)
			})
			<-time.After(1500 * time.Millisecond)
			for _, r := range []*ratelimit.Rate{here, there} {
				for _, wait := range o.call(r.People(), perSecond) {
					assert.Zero(o.t, wait, "%d/s: a second's calls go out at once", perSecond)
				}
				<-time.After(time.Second)
			}
			tick.Wait()
		})
	}
}

// Calls of people in the same process postpone the present batch; those of people in other
// replicas postpone the next one.
func TestWhatPeopleTakePutsTheBackgroundOff(t *testing.T) {
	t.Parallel()
	for name, elsewhere := range map[string]bool{"in the same process": false, "on another replica": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inOffice(t, func(o *office) {
				const perSecond, visits = 10, 5
				here, calls := o.replica(perSecond), 64
				people := here.People()
				if elsewhere {
					people, calls = o.replica(perSecond).People(), 128
				}
				began := time.Now()
				var visit sync.WaitGroup
				visit.Go(func() {
					<-time.After(time.Second)
					o.call(people, visits)
				})
				here.Background().Expect(calls)
				o.call(here.Background(), calls)
				visit.Wait()
				assert.InDelta(o.t, time.Duration(calls-1+visits)*time.Second/perSecond, time.Since(began), float64(time.Second/perSecond))
			})
		})
	}
}

func TestTheBackgroundGetsItsTurnSoonAfterPeopleHaveGone(t *testing.T) {
	t.Parallel()
	inOffice(t, func(o *office) {
		here, there := o.replica(10), o.replica(10)
		crowd, gone := context.WithTimeout(o.t.Context(), 3*time.Minute)
		defer gone()
		var tick sync.WaitGroup
		tick.Go(func() {
			for crowd.Err() == nil {
				here.Background().Expect(64)
				o.call(here.Background(), 64)
			}
		})
		for crowd.Err() == nil {
			o.call(there.People(), 1)
		}
		<-time.After(10 * time.Second) // at most a batch and two seconds are owed
		tick.Wait()
		left := time.Now()
		o.call(o.replica(10).Background(), 1)
		assert.Less(o.t, time.Since(left), 2500*time.Millisecond)
		assert.LessOrEqual(o.t, o.most(2*time.Minute), 2*60*10+10+64+1, "people and background together keep the rate")
	})
}

// A tick that ends early, or a replica that dies, does not delay the next poll.
func TestWhatABatchHadLeftDelaysNobody(t *testing.T) {
	t.Parallel()
	for name, same := range map[string]bool{"the same replica": true, "another one": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inOffice(t, func(o *office) {
				first := o.replica(5)
				first.Background().Expect(64) // 12.8 s of turns
				o.call(first.Background(), 10)
				next := o.replica(5)
				if same {
					next = first
					<-time.After(3 * time.Second) // what was left has lapsed
				}
				waits := o.call(next.Background(), 1)
				assert.LessOrEqual(o.t, waits[0], 400*time.Millisecond)
			})
		})
	}
}

func TestACallThatIsGivenUpLeavesItsTurn(t *testing.T) {
	t.Parallel()
	inOffice(t, func(o *office) {
		turns := o.replica(1).Background()
		o.call(turns, 1)
		for range 20 {
			soon, cancel := context.WithTimeout(o.t.Context(), time.Millisecond)
			require.ErrorIs(o.t, turns.Wait(soon), context.DeadlineExceeded)
			cancel()
		}
		taken, batches := turns.Taken()
		assert.EqualValues(o.t, 1, taken)
		assert.EqualValues(o.t, 1, batches)
	})
	inOffice(t, func(o *office) { // and its time, however many are given up at once
		turns := o.replica(1).Background()
		turns.Expect(9)
		o.call(turns, 1)
		soon, cancel := context.WithTimeout(o.t.Context(), time.Millisecond)
		defer cancel()
		var reads sync.WaitGroup
		for range 8 {
			reads.Go(func() { assert.ErrorIs(o.t, turns.Wait(soon), context.DeadlineExceeded) })
		}
		reads.Wait()
		assert.LessOrEqual(o.t, o.call(turns, 1)[0], time.Second)
	})
}

// A canceled call does not mean that Redis is down: all replicas keep one rate.
func TestACallThatIsGivenUpLeavesThePaceShared(t *testing.T) {
	t.Parallel()
	for name, waits := range map[string]func(r *ratelimit.Rate) waiter{
		"a person's":     func(r *ratelimit.Rate) waiter { return r.People() },
		"the background": func(r *ratelimit.Rate) waiter { return r.Background() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inOffice(t, func(o *office) {
				here, there := o.replica(5), o.replica(5)
				o.call(there.People(), 5)
				given, up := context.WithCancel(o.t.Context())
				up()
				require.ErrorIs(o.t, waits(here).Wait(given), context.Canceled)
				assert.Equal(o.t, 200*time.Millisecond, o.call(here.People(), 1)[0].Round(10*time.Millisecond))
			})
		})
	}
}

// The answer of Redis is lost and the library repeats the call: it gets the same batch.
func TestABatchThatIsAskedForTwiceIsGivenOnce(t *testing.T) {
	t.Parallel()
	inOffice(t, func(o *office) {
		o.rdb.AddHook(twice{})
		began := time.Now()
		turns := o.replica(10).Background()
		turns.Expect(128)
		o.call(turns, 128)
		assert.InDelta(o.t, 12700*time.Millisecond, time.Since(began), float64(200*time.Millisecond))
	})
}

// twice runs every script a second time.
type twice struct{}

func (twice) DialHook(next redis.DialHook) redis.DialHook { return next }

func (twice) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

func (twice) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		if cmd.Name() == "evalsha" {
			_ = next(ctx, cmd)
		}
		return next(ctx, cmd)
	}
}

// After a failover the new master's clock may be far behind: no call waits for it to catch up.
func TestAClockThatJumpsBackStopsNobody(t *testing.T) {
	each(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		far := time.Now().Add(time.Hour).UnixMicro()
		require.NoError(t, rdb.Set(t.Context(), "{darkroom}:turns", fmt.Sprintf("%d %d %d %d dead:1:64", far, far, far, 640_000), time.Hour).Err())
		r, began := rate(rdb, 100), time.Now()
		require.NoError(t, r.People().Wait(t.Context()))
		require.NoError(t, r.Background().Wait(t.Context()))
		assert.Less(t, time.Since(began), 10*time.Minute, "that would be an hour")
	})
}

func TestPeopleComeFirstWithinOneRate(t *testing.T) {
	inOffice(t, func(o *office) {
		r := o.replica(10)
		started := time.Now()
		o.call(r.People(), 10)
		soon, cancel := context.WithTimeout(o.t.Context(), 150*time.Millisecond)
		defer cancel()
		background := make(chan error, 1)
		go func() { background <- r.Background().Wait(soon) }()
		o.call(o.replica(10).People(), 1)
		assert.Greater(o.t, time.Since(started), 90*time.Millisecond, "the rate is all replicas'")
		require.ErrorIs(o.t, <-background, context.DeadlineExceeded, "people's calls are ahead of it")
		require.NoError(o.t, o.replica(1000).Background().Wait(o.t.Context()))
	})
}

func TestWithoutRedisTheRateIsKeptLocally(t *testing.T) {
	t.Parallel()
	rdb := redis.NewClient(&redis.Options{Addr: "127.0.0.1:1", MaxRetries: -1, DialerRetries: 1, ContextTimeoutEnabled: true})
	defer func() { _ = rdb.Close() }()
	r := rate(rdb, 20)
	started := time.Now()
	for range 24 {
		require.NoError(t, r.People().Wait(t.Context()))
	}
	assert.Greater(t, time.Since(started), 150*time.Millisecond)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, r.Background().Wait(ended), context.Canceled)
}
