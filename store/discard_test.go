package store_test

import (
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/store"
)

func TestADiscardedDraftNeverOverwritesOneThatIsBeingPlaced(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		open := store.Draft{ID: "d", Attempt: 1, State: store.DraftOpen}
		require.NoError(t, s.Drafts.SaveDraft(t.Context(), open))
		_, won, err := s.Drafts.Submit(t.Context(), open)
		require.NoError(t, err)
		require.True(t, won)
		open.State = store.DraftDiscarded // read before it was submitted
		require.ErrorIs(t, s.Drafts.SaveDraft(t.Context(), open), store.ErrDraftMoved)
		kept, err := s.Drafts.Draft(t.Context(), "d")
		require.NoError(t, err)
		assert.Equal(t, store.DraftPlacing, kept.State)
	})
}

func TestAnOrderThatWasTrackedFirstGetsItsReferenceAndKeepsItsChannel(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		order := order.Order{ID: "84521", ProjectName: "Smith wedding [K7Q2XM]"}
		_, err := s.Changes.AddOrder(t.Context(), store.NewOrder{
			ID: "84521", Owner: store.Owner{Team: "T1", Channel: "CPUBLIC", Requester: "boss"}, Order: order, Adopted: true,
		})
		require.NoError(t, err)
		for range 2 {
			got, err := s.Changes.AddOrder(t.Context(), store.NewOrder{
				ID: "84521", Owner: store.Owner{Team: "T1", Channel: "C1", Requester: "maria"}, Reference: "K7Q2XM", Order: order,
			})
			require.NoError(t, err)
			assert.Equal(t, "K7Q2XM", got.Reference)
			assert.Equal(t, "CPUBLIC", got.Owner.Channel)
		}
		found, err := s.Orders.Find(t.Context(), "k7q2xm")
		require.NoError(t, err)
		assert.Equal(t, "84521", found.ID)
	})
}
