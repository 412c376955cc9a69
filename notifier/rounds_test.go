package notifier_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/notifier"
	"darkroom/store"
	"darkroom/store/keyspace"
	"darkroom/store/storetest"
)

// Ten thousand polls do not begin in one second: each has its place in the period, and keeps it.
func TestTenThousandPollsAreSpreadOverThePeriod(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		schedule string
		rounds   int
	}{"a period": {"@every 30s", 2}, "times of day": {"*/30 * * * * *", 2}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				f := newFleet(10_000, 20*time.Millisecond)
				v := setOff(t, roundsOf(f, test.schedule))
				<-time.After(10 * time.Second) // what nobody may have polled before is made up for
				from := time.Now()
				for i := range 10_000 {
					f.polled(i)
				}
				<-time.After(time.Duration(test.rounds) * 30 * time.Second)
				v.stop(t)
				seconds := make([]int, test.rounds*30)
				for i := range 10_000 {
					starts := f.polled(i)
					require.InDelta(t, test.rounds, len(starts), 1, "each once a period")
					for j, at := range starts {
						seconds[min(int(at.Sub(from).Seconds()), len(seconds)-1)]++
						if j > 0 {
							require.InDelta(t, 30, at.Sub(starts[j-1]).Seconds(), 0.5, "at its own place")
						}
					}
				}
				t.Log("polls by the second:", seconds)
				require.Less(t, slices.Max(seconds), 450, "a thirtieth of them is 333")
				require.Greater(t, slices.Min(seconds), 230)
				require.LessOrEqual(t, f.most, 32)
				require.LessOrEqual(t, f.latest(0, 10_000), 7*time.Second, "what was made up for at the start")
				f.requireOnce(t)
			})
		})
	}
}

// One workspace whose service is slow, one whose service hangs and one whose service is down take nothing from
// the others, and are asked less often; when they answer again they are polled as before.
func TestSlowAndDeadServicesTakeNothingFromTheOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFleet(1000, 50*time.Millisecond)
		v := setOff(t, roundsOf(f, "@every 30s"))
		<-time.After(time.Minute)
		f.latest(0, 1000)
		f.set(0, func(m *member) { m.takes = answers(20 * time.Second) })
		f.set(1, func(m *member) { m.takes = hangs })
		f.set(2, func(m *member) { m.takes = refusesToConnect })
		for i := range 1000 {
			f.polled(i)
		}
		<-time.After(20 * time.Minute)
		require.LessOrEqual(t, f.latest(3, 1000), 200*time.Millisecond)
		require.InDelta(t, 27, len(f.polled(0)), 9, "half of its time at most")
		require.InDelta(t, 8, len(f.polled(1)), 3, "every three minutes")
		require.InDelta(t, 8, len(f.polled(2)), 3, "every three minutes")
		require.InDelta(t, 40, len(f.polled(3)), 1)

		for i := range 3 {
			f.set(i, func(m *member) { m.takes = answers(50 * time.Millisecond) })
		}
		<-time.After(4 * time.Minute) // by then each was asked once
		for i := range 3 {
			f.polled(i)
			f.set(i, func(m *member) { m.slow = 0 })
		}
		<-time.After(5 * time.Minute)
		v.stop(t)
		for i := range 3 {
			require.InDelta(t, 10, len(f.polled(i)), 1, "as often as others at once")
			require.Zero(t, f.member(i).slow)
		}
		f.requireOnce(t)
	})
}

// However many hang, they have a quarter of the places, once that is known, and half of the others' while those are free.
// So each is asked again within some minutes: the most when those that hang have a minute for an answer, at their first poll and
// at every fourth, which is at about the same time for all.
func TestWhenAThirdOfTheServicesHangTheOthersAreOnTime(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		places, slow int
		again        time.Duration
	}{
		"with few places":                  {32, 8 + 12, 15 * time.Minute},
		"with as many as the binary's 128": {128, 32 + 48, 6 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				f := newFleet(1000, 50*time.Millisecond)
				for i := range 300 {
					f.set(i, func(m *member) { m.takes = hangs })
				}
				c := roundsOf(f, "@every 30s")
				c.Places = test.places
				v := setOff(t, c)
				<-time.After(2 * time.Minute)
				first, from := f.latest(300, 1000), time.Now()
				t.Log("while it is found out they are late by", first)
				require.Less(t, first, 30*time.Second)
				<-time.After(30 * time.Minute)
				require.LessOrEqual(t, f.latest(300, 1000), 200*time.Millisecond)
				synctest.Wait() // what is just being begun is counted nowhere
				w := v.Where()
				require.LessOrEqual(t, w.SlowPolls, test.slow)
				require.Equal(t, 300, w.Slow)
				polls, longest := 0, time.Duration(0)
				for i := range 300 {
					starts := f.polled(i)
					polls, longest = polls+len(starts), max(longest, longestGap(starts, from, time.Now()))
				}
				t.Logf("polls of those that hang: %d; one was not asked for %s", polls, longest)
				require.LessOrEqual(t, longest, test.again)
				v.stop(t)
				f.requireOnce(t)
			})
		})
	}
}

// longestGap is the longest time without a poll, of one that began at these times: of what ended after a moment, until another.
func longestGap(starts []time.Time, after, until time.Time) (longest time.Duration) {
	last := after
	for _, at := range append(starts, until) {
		if at.After(after) {
			longest = max(longest, at.Sub(last))
		}
		last = at
	}
	return longest
}

// When there is more to do than time, all are late alike.
func TestUnderOverloadAllAreLateAlike(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const n = 1000
		f := newFleet(n, time.Second) // 24 a second where 100 are due
		v := setOff(t, roundsOf(f, "@every 10s"))
		<-time.After(10 * time.Minute)
		late := v.Where()
		v.stop(t)
		least, most, counts := time.Hour, time.Duration(0), []int{}
		for i := range n {
			m := f.member(i)
			counts = append(counts, len(m.starts))
			steady := m.late[len(m.late)/2:]
			least, most = min(least, slices.Min(steady)), max(most, slices.Max(steady))
			require.Zero(t, m.slow)
		}
		t.Logf("polls of each: %d to %d; late by %s to %s", slices.Min(counts), slices.Max(counts), least, most)
		require.LessOrEqual(t, slices.Max(counts)-slices.Min(counts), 2)
		require.Greater(t, slices.Min(counts), 11, "24 a second")
		require.Less(t, most-least, 12*time.Second, "by a period at most apart")
		require.Greater(t, late.Late, 20*time.Second)
		require.Greater(t, late.Waiting, 500)
		require.Equal(t, 24, f.most, "the places of the slow stay theirs")
		f.requireOnce(t)
	})
}

// A workspace without active orders is a question to Redis, asked for many at once, and a poll every ten minutes; once
// there is an order it is polled at its next place.
func TestAWorkspaceWithoutOrdersIsHardlyPolled(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFleet(200, time.Millisecond)
		for i := range 200 {
			f.set(i, func(m *member) { m.idle = true })
		}
		v := setOff(t, roundsOf(f, "@every 30s"))
		<-time.After(time.Minute)
		polls := 0
		for i := range 200 {
			polls += len(f.polled(i))
		}
		require.Less(t, polls, 40, "they do not all begin when a replica does")
		require.Zero(t, v.Where().Kept)
		<-time.After(time.Hour)
		for i := range 200 {
			require.InDelta(t, 6, len(f.polled(i)), 1)
		}
		f.set(7, func(m *member) { m.idle = false })
		<-time.After(30 * time.Second)
		require.Len(t, f.polled(7), 1)
		<-time.After(10 * time.Minute)
		require.Len(t, f.polled(7), 20)
		require.Equal(t, 1, v.Where().Kept)
		f.set(7, func(m *member) { m.idle = true })
		<-time.After(31 * time.Second)
		require.Zero(t, v.Where().Kept)
		v.stop(t)
	})
}

// What comes, goes, or is dropped: a new workspace is polled soon, one that left never again, and one whose account
// changed by what is made anew.
func TestWorkspacesComeAndGo(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFleet(64, time.Millisecond)
		f.set(3, func(m *member) { m.absent = true })
		v := setOff(t, roundsOf(f, "@every 10s"))
		<-time.After(time.Minute)
		require.Empty(t, f.polled(3))
		require.Equal(t, 63, v.Where().Workspaces)
		require.Equal(t, 63, f.made, "kept from one poll to the next")
		f.set(3, func(m *member) { m.absent = false })
		f.set(4, func(m *member) { m.absent = true })
		<-time.After(41 * time.Second)
		require.NotEmpty(t, f.polled(3))
		f.polled(4)
		<-time.After(time.Minute)
		require.Empty(t, f.polled(4))
		require.Equal(t, 63, v.Where().Kept)
		v.Drop("T00003")
		<-time.After(11 * time.Second)
		require.Equal(t, 65, f.made)
		<-time.After(10 * time.Minute)
		require.Equal(t, 65+63, f.made, "what it is made of may have changed unseen")
		v.stop(t)
		require.Zero(t, v.Where().Workspaces)
		require.Zero(t, v.Where().Kept)
	})
}

// A workspace that left and came back while its poll ran is not polled beside it.
func TestAWorkspaceThatComesBackIsNotPolledTwice(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFleet(1, 0)
		f.set(0, func(m *member) {
			m.takes = func(context.Context) error { <-time.After(100 * time.Second); return nil } // heeds nothing
		})
		c := roundsOf(f, "@every 1s")
		v := setOff(t, c)
		<-time.After(5 * time.Second)
		f.set(0, func(m *member) { m.absent = true })
		<-time.After(30 * time.Second)
		require.Zero(t, v.Where().Workspaces)
		f.set(0, func(m *member) { m.absent = false })
		<-time.After(5 * time.Minute)
		require.Greater(t, len(f.polled(0)), 1)
		v.cancel()
		require.NoError(t, <-v.done)
		f.requireOnce(t)
	})
}

func TestNoMorePollersAreKeptThanThatMany(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFleet(100, time.Millisecond)
		c := roundsOf(f, "@every 10s")
		c.Kept = 40
		v := setOff(t, c)
		<-time.After(5 * time.Minute)
		require.Equal(t, 40, v.Where().Kept)
		v.stop(t)
		polls := 0
		for i := range 100 {
			polls += len(f.polled(i))
		}
		require.InDelta(t, 40+0.6*float64(polls), f.made, 30, "those that are kept are of use at each poll")
	})
}

// While Redis does not tell what the rounds need, nothing is polled, and all goes on at once afterwards.
func TestRoundsWaitForRedis(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFleet(100, time.Millisecond)
		v := setOff(t, roundsOf(f, "@every 10s"))
		<-time.After(time.Minute)
		f.mu.Lock()
		f.broken = errors.New("Redis is away")
		f.mu.Unlock()
		<-time.After(time.Second)
		for i := range 100 {
			f.polled(i)
		}
		<-time.After(5 * time.Minute)
		for i := range 100 {
			require.Empty(t, f.polled(i))
		}
		synctest.Wait() // what was just asked about is put back
		require.Equal(t, 100, v.Where().Waiting)
		f.mu.Lock()
		f.broken = nil
		f.mu.Unlock()
		<-time.After(2 * time.Second)
		for i := range 100 {
			require.NotEmpty(t, f.polled(i))
		}
		v.stop(t)
	})
}

// The shards are on several masters of Redis: while one of them does not answer, the workspaces of its shards alone wait for it.
func TestOneShardThatIsAwayHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const n = 1600
		f := newFleet(n, 50*time.Millisecond)
		v := setOff(t, roundsOf(f, "@every 30s"))
		<-time.After(time.Minute)
		f.latest(0, n)
		f.mu.Lock()
		f.away = map[int]bool{3: true}
		f.mu.Unlock()
		<-time.After(time.Second)
		for i := range n {
			f.polled(i)
		}
		<-time.After(5 * time.Minute)
		for i := range n {
			want := 10.0
			if i%f.shards == 3 {
				want = 0
			}
			require.InDelta(t, want, len(f.polled(i)), 1, i)
		}
		require.LessOrEqual(t, f.latest(0, n), 500*time.Millisecond)
		require.InDelta(t, n/f.shards, v.Where().Waiting, 20, "a beat of the others may be due")
		require.Greater(t, v.Where().Late, 4*time.Minute)
		f.mu.Lock()
		f.away = nil
		f.mu.Unlock()
		<-time.After(4 * time.Second)
		for i := 3; i < n; i += f.shards {
			require.NotEmpty(t, f.polled(i))
		}
		f.latest(0, n)
		<-time.After(time.Minute)
		require.LessOrEqual(t, f.latest(0, n), 500*time.Millisecond)
		v.stop(t)
		f.requireOnce(t)
	})
}

func TestRoundsRefuseAScheduleThatNobodyCanKeep(t *testing.T) {
	t.Parallel()
	_, err := notifier.NewRounds(notifier.RoundsConfig{Schedule: "now and then"})
	require.Error(t, err)
}

// An account that so many workspaces share that its pace does not suffice for their polls makes those late, all of them alike,
// and nobody else.
func TestAnAccountThatIsSharedByTooManyMakesNobodyElseLate(t *testing.T) {
	t.Parallel()
	storetest.Bubble(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		const sharing, n = 300, 600
		f := newFleet(n, 50*time.Millisecond)
		accounts := store.NewAccountRates(rdb, func(string) keyspace.Keyspace { return keyspace.New("darkroom:03") }, 5)
		for i := range sharing { // ten a second are due, and five can be had
			turns := accounts.Of("shared").Background()
			f.set(i, func(m *member) { m.takes = turns.Wait })
		}
		v := setOff(t, roundsOf(f, "@every 30s"))
		<-time.After(5 * time.Minute)
		f.latest(0, n)
		for i := range sharing {
			f.polled(i)
		}
		<-time.After(10 * time.Minute)
		v.stop(t)
		late, counts := f.latest(sharing, n), []int{}
		for i := range sharing {
			counts = append(counts, len(f.polled(i)))
		}
		t.Logf("others are late by %s; polls of those that share: %d to %d", late, slices.Min(counts), slices.Max(counts))
		require.Less(t, late, 2*time.Second)
		require.Greater(t, slices.Min(counts), 4)
		require.Less(t, slices.Max(counts), 16)
	})
}

// When nothing answers at all, as when this machine has no network, all is as before a few minutes after it does again.
func TestAfterAnOutageOfAllTheRoundsAreAsBefore(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const n = 1000
		f := newFleet(n, 50*time.Millisecond)
		all := func(takes func(context.Context) error) {
			for i := range n {
				f.set(i, func(m *member) { m.takes = takes })
			}
		}
		v := setOff(t, roundsOf(f, "@every 30s"))
		<-time.After(time.Minute)
		all(hangs)
		<-time.After(15 * time.Minute)
		all(answers(50 * time.Millisecond))
		<-time.After(4 * time.Minute)
		require.Zero(t, v.Where().Slow)
		f.latest(0, n)
		for i := range n {
			f.polled(i)
		}
		<-time.After(5 * time.Minute)
		v.stop(t)
		for i := range n {
			require.InDelta(t, 10, len(f.polled(i)), 1)
		}
		require.LessOrEqual(t, f.latest(0, n), 200*time.Millisecond)
		f.requireOnce(t)
	})
}
