package notifier_test

import (
	"context"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/notifier"
	"darkroom/order"
	"darkroom/sandbox/workspace"
	"darkroom/store"

	"darkroom/store/queue"
	"darkroom/store/storetest"
)

// writes counts the commands that are not known to only read.
type writes struct {
	mu  sync.Mutex
	all []string
}

func (w *writes) note(cmd redis.Cmder) {
	reading := []string{"get", "mget", "hget", "hgetall", "hscan", "hmget", "lrange", "smembers", "sscan", "zrange", "exists"}
	if name := strings.ToLower(cmd.Name()); !slices.Contains(reading, name) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.all = append(w.all, name)
	}
}

func (w *writes) DialHook(next redis.DialHook) redis.DialHook {
	return func(ctx context.Context, network, addr string) (net.Conn, error) { return next(ctx, network, addr) }
}

func (w *writes) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		w.note(cmd)
		return next(ctx, cmd)
	}
}

func (w *writes) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		for _, cmd := range cmds {
			w.note(cmd)
		}
		return next(ctx, cmds)
	}
}

// studioWith is a service with the rig's order among others.
func studioWith(orders int) *studio {
	s := studioOf(orders)
	s.orders[orders/2].ID = orderID
	return s
}

func eventIDs(t *testing.T, r *rig) []string {
	t.Helper()
	events, err := r.Events(t.Context(), orderID)
	require.NoError(t, err)
	var ids []string
	for _, e := range events {
		ids = append(ids, e.ID)
	}
	return ids
}

func TestWhatThePollerFindsIsRecordedOnceAndQuietTicksWriteNothing(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		r := newRigOver(t, rdb, workspace.Options{})
		r.place(t, shoots)
		s := studioWith(10)
		p := newPoller(t, notifier.PollerConfig{Service: s, Store: r.Store})
		s.set(orderID, order.StatusReviewing, 0)
		require.NoError(t, p.Tick(t.Context()))
		require.NoError(t, p.Tick(t.Context()))
		require.Equal(t, []string{"placed", "ready:r0"}, eventIDs(t, r))
		r.announce(t)
		require.Equal(t, []string{"card", "placed", "ready:r0"}, r.thread(t, shoots))

		w := &writes{}
		rdb.AddHook(w)
		for range 5 {
			require.NoError(t, p.Tick(t.Context()))
		}
		require.Empty(t, w.all)
		s.set(orderID, order.StatusClosed, 0)
		require.NoError(t, p.Tick(t.Context()))
		require.NotEmpty(t, w.all, "the counter can count")
		require.Equal(t, []string{"placed", "ready:r0", "approved"}, eventIDs(t, r))
	})
}

func TestAnOrderCanceledElsewhereIsFoundByID(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.place(t, shoots)
	s := studioWith(10)
	s.set(orderID, order.StatusCanceled, 0)
	s.hidden[orderID] = true
	p := newPoller(t, notifier.PollerConfig{Service: s, Store: r.Store})
	require.NoError(t, p.Tick(t.Context()))
	require.Equal(t, []string{"placed", "canceled"}, eventIDs(t, r))
	s.asked()
	require.NoError(t, p.Tick(t.Context()))
	require.Empty(t, s.asked(), "it is no longer active")
}

func TestTwoPollersAtOnceRecordAChangeOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.place(t, shoots)
	s := studioWith(10)
	s.set(orderID, order.StatusReviewing, 0)
	var both sync.WaitGroup
	for range 2 {
		p := newPoller(t, notifier.PollerConfig{Service: s, Store: r.Store})
		both.Go(func() { _ = p.Tick(t.Context()) })
	}
	both.Wait()
	require.Equal(t, []string{"placed", "ready:r0"}, eventIDs(t, r))
}

// TestFromTheServiceToTheChannel runs poller, queue and announcer together,
// with Slack losing answers.
func TestFromTheServiceToTheChannel(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		r := newRigOver(t, rdb, workspace.Options{})
		a := notifier.NewAnnouncer(r.config)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() {
			ended <- r.queue.Run(ctx, func(ctx context.Context, d *queue.Delivery) error {
				if d.Kind == notifier.DedupeKind {
					return handler(a, notifier.DedupeKind)(ctx, d)
				}
				return handler(a, store.AnnounceKind)(ctx, d)
			})
		}()
		r.w.Misbehave("chat.postMessage", workspace.Fault{}, 1)
		r.w.Misbehave("chat.postMessage", workspace.ResetAfter, 1)
		r.w.Misbehave("chat.postMessage", workspace.Error500After, 1)
		r.place(t, shoots)
		s := studioWith(10)
		p := newPoller(t, notifier.PollerConfig{Service: s, Store: r.Store})
		for _, status := range []order.Status{order.StatusReviewing, order.StatusClosed} {
			s.set(orderID, status, 0)
			require.NoError(t, p.Tick(t.Context()))
		}
		limit, stop := context.WithTimeout(t.Context(), waitLimit)
		defer stop()
		require.NoError(t, r.w.Wait(limit, func() bool { return len(r.w.Messages(shoots)) == 2 }))
		require.Eventually(t, func() bool { return caughtUp(r) }, waitLimit, waitTick)
		require.Equal(t, []string{"card", "placed", "ready:r0", "approved"}, r.thread(t, shoots))
		cancel()
		require.NoError(t, <-ended)
	})
}

func caughtUp(r *rig) bool {
	ids, err := r.Unannounced(context.Background())
	return err == nil && len(ids) == 0
}
