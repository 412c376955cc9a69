package notifier_test

import (
	"slices"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/store/storetest"
)

// shardsOf is how many shards each of these replicas has.
func shardsOf(all ...*traveller) (shards []int) {
	for _, v := range all {
		shards = append(shards, v.Where().Shards)
	}
	return shards
}

// requireGap fails when one of n workspaces was not polled for longer than that, since it was last asked.
func (f *fleet) requireGap(t *testing.T, n int, since time.Time, gap time.Duration) {
	t.Helper()
	for i := range n {
		last := since
		for _, at := range append(f.polled(i), time.Now()) {
			require.LessOrEqual(t, at.Sub(last), gap, "workspace %d", i)
			last = at
		}
	}
}

// Replicas that join and leave share the shards about equally within a second, and no workspace is polled twice at a
// time or left out for longer than two periods.
func TestReplicasShareTheShards(t *testing.T) {
	t.Parallel()
	storetest.Bubble(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		const n = 320
		f := newFleet(n, 300*time.Millisecond)
		began := time.Now()
		a := setOffOver(t, f, "@every 10s", rdb)
		<-time.After(time.Second)
		require.Equal(t, []int{16}, shardsOf(a), "one alone has all")
		<-time.After(30 * time.Second)
		b := setOffOver(t, f, "@every 10s", rdb)
		<-time.After(2 * time.Second)
		require.Equal(t, []int{8, 8}, shardsOf(a, b))
		c := setOffOver(t, f, "@every 10s", rdb)
		<-time.After(2 * time.Second)
		require.ElementsMatch(t, []int{5, 5, 6}, shardsOf(a, b, c))
		<-time.After(30 * time.Second)
		a.stop(t)
		<-time.After(time.Second)
		require.Equal(t, []int{0, 8, 8}, shardsOf(a, b, c), "at once")
		<-time.After(30 * time.Second)
		b.stop(t)
		<-time.After(time.Second)
		require.Equal(t, []int{16}, shardsOf(c))
		<-time.After(30 * time.Second)
		c.stop(t)
		f.requireGap(t, n, began, 15*time.Second)
		f.requireOnce(t)
		require.Zero(t, rdb.DBSize(t.Context()).Val(), "locks and replicas are given up")
	})
}

// A replica that dies, or does not reach Redis, loses its shards in seconds; while it is gone the others have them, and none
// of what it had is polled by two.
func TestTheShardsOfADeadReplicaAreTakenOverInSeconds(t *testing.T) {
	t.Parallel()
	storetest.Bubble(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		const n = 320
		f := newFleet(n, 300*time.Millisecond)
		began := time.Now()
		a, b := setOffOver(t, f, "@every 10s", rdb), setOffOver(t, f, "@every 10s", rdb)
		<-time.After(20 * time.Second)
		require.Equal(t, []int{8, 8}, shardsOf(a, b))
		a.cut.set(true)
		<-time.After(4 * time.Second)
		require.Equal(t, []int{0, 16}, shardsOf(a, b))
		<-time.After(time.Minute)
		a.cut.set(false)
		<-time.After(4 * time.Second)
		require.Equal(t, []int{8, 8}, shardsOf(a, b), "and has its part again when it is back")
		<-time.After(20 * time.Second)
		a.cut.set(true)
		a.stop(t) // while it reaches nobody
		<-time.After(4 * time.Second)
		require.Equal(t, []int{16}, shardsOf(b))
		<-time.After(20 * time.Second)
		b.stop(t)
		f.requireGap(t, n, began, 15*time.Second)
		f.requireOnce(t)
	})
}

// A replica that is cut off from Redis ends its polls before another one begins, also when its last renewal came late and
// its next look at the lease comes just before that ends.
func TestPollsEndBeforeTheLeaseOfAReplicaThatIsCutOff(t *testing.T) {
	t.Parallel()
	storetest.Bubble(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		f := newFleet(320, 600*time.Millisecond) // some ten of each replica are under way at any time
		a := setOffOver(t, f, "@every 10s", rdb)
		<-time.After(100 * time.Millisecond) // so that b asks for a shard between the beats of a
		b := setOffOver(t, f, "@every 10s", rdb)
		<-time.After(19900 * time.Millisecond)
		require.Equal(t, []int{8, 8}, shardsOf(a, b))
		a.cut.slow(400 * time.Millisecond) // longer than the time between two beats, which are at whole multiples of 375 ms
		<-time.After(500 * time.Millisecond)
		a.cut.slow(0) // the renewal of 20.25 s is through at 20.65 s, and the one of 20.625 s follows at once
		<-time.After(200 * time.Millisecond)
		a.cut.set(true)
		<-time.After(4 * time.Second)
		require.Equal(t, []int{0, 16}, shardsOf(a, b))
		a.stop(t)
		b.stop(t)
		f.requireOnce(t)
	})
}

// More replicas than shards: some have none, until others leave.
func TestReplicasBeyondTheShardsWait(t *testing.T) {
	t.Parallel()
	storetest.Bubble(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		f := newFleet(10, time.Millisecond)
		f.shards = 2
		var all []*traveller
		for range 3 {
			all = append(all, setOffOver(t, f, "@every 10s", rdb))
		}
		<-time.After(5 * time.Second)
		require.ElementsMatch(t, []int{0, 1, 1}, shardsOf(all...))
		slices.SortFunc(all, func(a, b *traveller) int { return b.Where().Shards - a.Where().Shards })
		all[0].stop(t)
		<-time.After(time.Second)
		require.Equal(t, []int{0, 1, 1}, shardsOf(all...))
		all[1].stop(t)
		all[2].stop(t)
	})
}

// A poll that does not end when it is told to keeps its shard from others until it does.
func TestAShardIsGivenUpWhenItsPollsHaveEnded(t *testing.T) {
	t.Parallel()
	storetest.Bubble(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		f := newFleet(16, 0)
		for i := range 16 {
			f.set(i, func(m *member) { m.takes = unheeding })
		}
		a := setOffOver(t, f, "@every 2s", rdb)
		<-time.After(3 * time.Second)
		b := setOffOver(t, f, "@every 2s", rdb)
		<-time.After(time.Minute)
		require.Equal(t, []int{8, 8}, shardsOf(a, b))
		a.stop(t)
		b.stop(t)
		f.requireOnce(t)
	})
}
