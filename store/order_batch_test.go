package store_test

import (
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/store"
)

func TestTheOrdersOfABatchAreTheSameWheneverTheyAreAskedFor(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		photo := store.DraftFile{ID: "F1", URL: "https://files.slack.com/1.jpg"}
		b := store.OrderBatch{
			ID: "b", Team: "T", User: "UMARIA", Channel: "C1", From: "C2", Run: "r", Photos: []store.DraftFile{photo},
			Rows: []order.BatchRow{
				{Name: "Hats", Images: make([]string, order.MaxImages+1), Service: order.ServiceBasic, Instructions: []string{"Brighten."}},
				{Name: "Caps", Images: []string{"https://e.com/a.jpg", photo.URL}, References: []string{"https://e.com/mood.jpg"}, Service: order.ServiceExtensive, CustomerID: "7"},
			},
		}
		_, err := s.Batches.Batch(t.Context(), b.ID)
		require.ErrorIs(t, err, store.ErrNoBatch)
		require.NoError(t, s.Batches.SaveBatch(t.Context(), b))
		kept, err := s.Batches.Batch(t.Context(), b.ID)
		require.NoError(t, err)
		drafts := kept.Drafts()
		require.Equal(t, b.Drafts(), drafts)
		require.Len(t, drafts, 3)
		require.Equal(t, []string{"b-1", "b-2", "b-3"}, []string{drafts[0].ID, drafts[1].ID, drafts[2].ID})
		require.Equal(t, store.Draft{
			ID: "b-3", Batch: "b", Team: "T", User: "UMARIA", Channel: "C1", From: "C2", Run: "r", ProjectName: "Caps", Service: order.ServiceExtensive,
			CustomerID: "7", URLs: []string{"https://e.com/a.jpg", "https://e.com/mood.jpg"}, Files: []store.DraftFile{photo},
			Each:    map[string]store.PerImage{"https://e.com/mood.jpg": {Service: order.ServiceReference}},
			Attempt: 1, State: store.DraftOpen,
		}, drafts[2])
	})
}
