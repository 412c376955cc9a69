package notifier_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/store"
	"darkroom/store/keyspace"
	"darkroom/store/storetest"
)

// asks is a service that is asked so often a poll, each time when it is the workspace's turn, and answers after so long.
func asks(turns *store.Share, calls int, after time.Duration) func(context.Context) error {
	return func(ctx context.Context) error {
		turns.Expect(calls)
		for range calls {
			if err := turns.Wait(ctx); err != nil {
				return err
			}
			if err := answers(after)(ctx); err != nil {
				return err
			}
		}
		return nil
	}
}

// ends are when polls of workspaces came to their end.
type ends struct {
	mu sync.Mutex
	at map[int][]time.Time
}

// of notes the polls of a workspace that did all they had to.
func (e *ends) of(i int, takes func(context.Context) error) func(*member) {
	return func(m *member) {
		m.takes = func(ctx context.Context) error {
			err := takes(ctx)
			if err == nil {
				e.mu.Lock()
				defer e.mu.Unlock()
				e.at[i] = append(e.at[i], time.Now())
			}
			return err
		}
	}
}

// gaps are the times between these ends of a workspace's polls since then.
func (e *ends) gaps(i int, since time.Time) (gaps []time.Duration) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, at := range e.at[i] {
		if at.After(since) {
			gaps, since = append(gaps, at.Sub(since)), at
		}
	}
	return append(gaps, time.Since(since))
}

// turnless is a service at which no turn comes.
func turnless(took *[]time.Duration) func(context.Context) error {
	return func(ctx context.Context) error {
		began := time.Now()
		<-ctx.Done()
		*took = append(*took, time.Since(began))
		return fmt.Errorf("not sent: %w: %w", store.ErrNoTurn, ctx.Err())
	}
}

// That no turn came says nothing of the service: the next poll has all its time, as any other.
func TestAPollToWhichNoTurnCameIsNoneOfADeadService(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f, took := newFleet(1, 0), []time.Duration(nil)
		f.set(0, func(m *member) { m.takes = turnless(&took) })
		v := setOff(t, roundsOf(f, "@every 30s"))
		<-time.After(30 * time.Minute)
		v.stop(t)
		require.Greater(t, len(took), 9)
		for _, each := range took[:len(took)-1] {
			require.Equal(t, time.Minute, each, "%v", took)
		}
	})
}

// So many workspaces share one account that its pace does not suffice: each is polled as often as any other, and whoever else is
// slow has its places.
func TestWorkspacesOfOneAccountArePolledEvenlyAndSlowOnesBesideThemAsEver(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		sharing, perSecond, calls int
		rest                      time.Duration
	}{
		"300 of three calls at the usual pace": {300, 5, 3, 10 * time.Minute},
		"900 of one call at a quick pace":      {900, 20, 1, 4 * time.Minute},
		"100 of three calls at a slow pace":    {100, 1, 3, 17 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			storetest.Bubble(t, func(t *testing.T, rdb redis.UniversalClient) {
				t.Helper()
				n := test.sharing + 40
				f, done := newFleet(n, 50*time.Millisecond), &ends{at: map[int][]time.Time{}}
				accounts := store.NewAccountRates(rdb, func(string) keyspace.Keyspace { return keyspace.New("darkroom:03") }, test.perSecond)
				for i := range test.sharing {
					f.set(i, done.of(i, asks(accounts.Of("shared").Background(), test.calls, 50*time.Millisecond)))
				}
				slowOne, quickOnes := test.sharing, test.sharing+1
				f.set(slowOne, done.of(slowOne, answers(2500*time.Millisecond)))
				c := roundsOf(f, "@every 30s")
				c.Places = 128
				v := setOff(t, c)
				<-time.After(5 * time.Minute)
				f.latest(0, n)
				since := time.Now()
				<-time.After(test.rest)
				late, slowGaps, all := f.latest(quickOnes, n), done.gaps(slowOne, since), []time.Duration(nil)
				for i := range test.sharing {
					gaps := done.gaps(i, since)
					require.Greater(t, len(gaps), 2, "each is polled, and again")
					all = append(all, gaps[1:len(gaps)-1]...)
				}
				slices.Sort(all)
				median, longest := all[len(all)/2], all[len(all)-1]
				t.Logf("polls of those that share: %d, %s apart, %s at most; slow: %s apart at most; others late by %s", len(all), median, longest, slices.Max(slowGaps), late)
				require.LessOrEqual(t, longest, 2*median)
				even := time.Duration(test.sharing*test.calls) * time.Second / time.Duration(test.perSecond)
				require.InDelta(t, even.Seconds(), median.Seconds(), even.Seconds()/5, "no turn is lost")
				require.Less(t, slices.Max(slowGaps), 40*time.Second, "those of the slow one")
				require.Less(t, late, time.Second)
				v.stop(t)
				f.requireOnce(t)
			})
		})
	}
}

// oneOf is the presence of a replica that is told how many there are.
type oneOf struct {
	mu sync.Mutex
	of int
}

func (o *oneOf) set(of int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.of = of
}

// Here implements [notifier.Presence].
func (o *oneOf) Here(context.Context) (place, of int, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return 0, o.of, nil
}

// Leave implements [notifier.Presence].
func (*oneOf) Leave(context.Context) error { return nil }

// However many replicas there are, few polls wait for turns at an account together: each replica has its part of them.
func TestReplicasShareThePollsThatWaitForTurns(t *testing.T) {
	t.Parallel()
	storetest.Bubble(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		const n = 640 // those of one shard alone are too many for the account
		f := newFleet(n, 0)
		accounts := store.NewAccountRates(rdb, func(string) keyspace.Keyspace { return keyspace.New("darkroom:03") }, 1)
		for i := range n {
			f.set(i, func(m *member) { m.takes = asks(accounts.Of("shared").Background(), 1, 0) })
		}
		replicas := &oneOf{of: 1}
		c := roundsOf(f, "@every 30s")
		c.Places, c.Presence = 128, replicas
		v := setOff(t, c)
		for _, part := range []struct{ of, polls int }{{1, 16}, {2, 8}, {3, 5}, {16, 4}, {1, 16}} {
			replicas.set(part.of)
			<-time.After(4 * time.Minute) // what came with another shard is known to wait
			require.Equal(t, part.polls, f.mostIn(30*time.Second), "one of %d replicas", part.of)
		}
		v.stop(t)
	})
}
