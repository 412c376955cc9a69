package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/cmd/darkroom/tenants"
	"darkroom/order"
	"darkroom/sandbox/crowd"
	"darkroom/store"
	"darkroom/store/keyspace"
	"darkroom/store/queue"
	"darkroom/store/storetest"
	storetenants "darkroom/store/tenants"
)

// A workspace that was disconnected, or removed the app, and keeps its data keeps none longer than RETENTION says. Nobody
// asks its service for it, or tells anybody that it does not answer.
func TestWhatEndedIsLetGoWhereNobodyPolls(t *testing.T) {
	t.Parallel()
	for name, removed := range map[string]bool{"it is not connected": false, "it removed the app": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			world, err := crowd.Start(crowd.Options{})
			require.NoError(t, err)
			t.Cleanup(world.Close)
			server := storetest.Start(t)
			a := forMany(t, world, server.URL())
			a.shared.Config.Retention = time.Millisecond
			const id = "T1"
			if !removed {
				require.NoError(t, a.many.Directory.Installations.Install(t.Context(), installation(id, "Studio")))
			}
			s := tenants.StoreOf(server.Client(), id)
			_, err = s.Changes.AddOrder(t.Context(), store.NewOrder{
				ID: "o1", Owner: store.Owner{Team: id, Channel: "C0SHOOTS", Requester: "U0MARIA"}, Reference: "K7Q2XM",
				Order: order.Order{Status: order.StatusCanceled, OrderedAt: time.Now(), CanceledAt: time.Now()},
			})
			require.NoError(t, err)
			o, events, err := s.Announcements.Pending(t.Context(), "o1")
			require.NoError(t, err)
			require.NoError(t, s.Announcements.CardPosted(t.Context(), "o1", o.Owner.Generation, "1790000000.000100", o.Version))
			for _, e := range events {
				require.NoError(t, s.Announcements.EventPosted(t.Context(), "o1", o.Owner.Generation, store.Posted{Event: e.Seq, ID: e.ID, TS: "1790000000.000200"}))
			}
			dies(t, server.Client(), id)
			require.Eventually(t, func() bool {
				job := storetenants.PollJob()
				job.Tenant = id
				require.ErrorContains(t, a.many.Polls.Work(t.Context(), &queue.Delivery{Job: job}), "idle", "it comes back")
				has, err := s.Connection.HasOrders(t.Context())
				require.NoError(t, err)
				left, err := a.many.Queues[keyspace.ShardOf(id)].Inspector().Stats(t.Context())
				require.NoError(t, err)
				return !has && left.Dead == 0
			}, 5*time.Second, 5*time.Millisecond)
		})
	}
}
