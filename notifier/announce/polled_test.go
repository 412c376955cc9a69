package announce_test

import (
	"context"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/notifier/announce"
	"darkroom/notifier/poll"
	"darkroom/order"
	"darkroom/sandbox/workspace"
	"darkroom/store"
	"darkroom/store/queue"
	"darkroom/store/storetest"
)

// oneOrder is a service with the rig's order.
type oneOrder struct{ order.Order }

func (o oneOrder) List(context.Context, order.Filter) (order.Page, error) {
	return order.Page{Orders: []order.Order{o.Order}, PerPage: 20, Total: 1, TotalPages: 1}, nil
}

func (o oneOrder) Fetch(context.Context, string) (order.Order, error) { return o.Order, nil }

// polled lets a poll find the order in a status.
func (r *rig) polled(t *testing.T, status order.Status) {
	t.Helper()
	o := order.Order{ID: orderID, Status: status, Revision: new(int), OrderedAt: time.Now().Add(-time.Hour)}
	if status == order.StatusReviewing {
		o.EditedImages = []order.EditedImage{{ID: "i1", Name: "beach.jpg"}}
	}
	p, err := poll.New(poll.Config{Service: oneOrder{o}, Store: poll.StoreOf(r.Store), Schedule: "@every 30s", Ops: func(context.Context, string) (bool, error) { return true, nil }})
	require.NoError(t, err)
	require.NoError(t, p.Poll(t.Context()))
}

// TestFromTheServiceToTheChannel runs poller, queue and announcer together,
// with Slack losing answers.
func TestFromTheServiceToTheChannel(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, rdb redis.UniversalClient) {
		t.Helper()
		r := newRigOver(t, rdb, workspace.Options{})
		a := announce.New(r.config)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() {
			ended <- r.queue.Run(ctx, func(ctx context.Context, d *queue.Delivery) error {
				if d.Kind == announce.DedupeKind {
					return handler(a, announce.DedupeKind)(ctx, d)
				}
				return handler(a, store.AnnounceKind)(ctx, d)
			})
		}()
		r.w.Misbehave("chat.postMessage", workspace.Fault{}, 1)
		r.w.Misbehave("chat.postMessage", workspace.ResetAfter, 1)
		r.w.Misbehave("chat.postMessage", workspace.Error500After, 1)
		r.place(t, shoots)
		for _, status := range []order.Status{order.StatusReviewing, order.StatusClosed} {
			r.polled(t, status)
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
	ids, err := r.Announcements.Unannounced(context.Background())
	return err == nil && len(ids) == 0
}
