package tenants

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/cmd/darkroom/workspace"
	"darkroom/order"
	"darkroom/sandbox/crowd"
	"darkroom/store/keyspace"
	"darkroom/store/queue"
	"darkroom/store/seal"
	"darkroom/store/storetest"
	"darkroom/store/tenants"
)

// A poll that fails again and again comes back: a workspace without one would hear of nothing any more.
func TestAPollNeverDies(t *testing.T) {
	t.Parallel()
	q := workspace.PollQueue(storetest.Client(t), queue.Options{Idle: 10 * time.Millisecond, Backoff: func(int) time.Duration { return time.Millisecond }})
	ctx, stop := context.WithCancel(t.Context())
	ended, failed, alive := make(chan error, 1), 0, make(chan struct{})
	go func() {
		ended <- q.Run(ctx, func(context.Context, *queue.Delivery) error {
			if failed++; failed == 20 {
				close(alive)
			}
			if failed > 10 {
				return errors.New("it failed")
			}
			panic("a mistake in the program")
		})
	}()
	require.NoError(t, q.Wake(t.Context(), tenants.PollJob(), false))
	select {
	case <-alive:
	case <-time.After(30 * time.Second):
		require.FailNow(t, "it died")
	}
	stop()
	require.NoError(t, <-ended)
}

// forOne returns an app for many workspaces with one of them, which has one active order.
func forOne(t *testing.T) (*Tenants, *crowd.Crowd, redis.UniversalClient) {
	t.Helper()
	world, err := crowd.Start(crowd.Options{Workspaces: 1, Orders: 1})
	require.NoError(t, err)
	t.Cleanup(world.Close)
	server := storetest.Start(t)
	a := forMany(t, world, server.URL())
	keys, err := seal.NewKeys(sealing)
	require.NoError(t, err)
	require.NoError(t, world.Fill(t.Context(), server.Client(), keys))
	return a, world, server.Client()
}

// What is kept between polls is for workspaces that are polled soon again.
func TestNothingIsKeptOfAWorkspaceThatIdles(t *testing.T) {
	t.Parallel()
	a, world, rdb := forOne(t)
	id := world.Workspace(0)
	job := tenants.PollJob()
	job.Tenant = id
	polled := func() string {
		return a.Polls.Work(t.Context(), &queue.Delivery{Job: job, WaitedUntil: time.Now().Add(-time.Second)}).Error()
	}
	require.Contains(t, polled(), "wait ")
	require.Equal(t, 1, a.Polls.cache.Len())
	s := StoreOf(rdb, id)
	o, err := s.Orders.Order(t.Context(), world.Order(0))
	require.NoError(t, err)
	_, _, err = s.Changes.Record(t.Context(), o.ID, o.Version, order.Order{ID: o.ID, Status: order.StatusClosed})
	require.NoError(t, err)
	require.NoError(t, s.Announcements.SkipPending(t.Context(), o.ID, o.Owner.Generation))
	require.Contains(t, polled(), "idle ")
	require.Zero(t, a.Polls.cache.Len())
}

// TestAPollerThatWasMadeWhileItsWorkspaceLeftIsNotKept: its service would be asked for minutes.
func TestAPollerThatWasMadeWhileItsWorkspaceLeftIsNotKept(t *testing.T) {
	t.Parallel()
	p := newPolls(&maker{}, nil)
	begun := p.drops
	p.save("T1", cachedPoller{}, begun)
	require.True(t, p.cache.Has("T1"))
	p.drop("T1")
	p.save("T1", cachedPoller{}, begun)
	require.False(t, p.cache.Has("T1"))
}

// TestANewScheduleEndsTheWaitsOfPolls and of nothing else: polls waited by the old schedule, and the sweep for removals
// does not follow it.
func TestANewScheduleEndsTheWaitsOfPolls(t *testing.T) {
	t.Parallel()
	a, world, rdb := forOne(t)
	shard := keyspace.ShardOf(world.Workspace(0))
	waiting := func() []string {
		return rdb.ZRange(t.Context(), keyspace.Shard(shard).Key("poll", "waiting"), 0, -1).Val()
	}

	require.NoError(t, a.StartTimed(t.Context()))
	ctx, stop := context.WithCancel(t.Context())
	delivered, ended := make(chan string), make(chan error, 1)
	go func() {
		ended <- a.PollQueues[shard].Run(ctx, func(_ context.Context, d *queue.Delivery) error {
			delivered <- d.Kind
			return queue.Wait(time.Hour)
		})
	}()
	require.ElementsMatch(t, []string{tenants.PollJob().Kind, RemovalsJob}, []string{<-delivered, <-delivered})
	stop()
	require.NoError(t, <-ended)
	both := waiting()
	require.Len(t, both, 2)

	require.NoError(t, a.StartTimed(t.Context()))
	require.Equal(t, both, waiting(), "the schedule is the same")
	a.shared.Config.PollSchedule = "@every 7m"
	require.NoError(t, a.StartTimed(t.Context()))
	require.Equal(t, []string{AppTenant + "/" + RemovalsJob}, waiting())
}
