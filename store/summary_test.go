package store_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/store"
)

func TestAListReadsThePicturesOnlyOfWhatItShows(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		shelf(t, s, 3, func(int) (string, string) { return "C1", "UMARIA" })
		for i := range 3 {
			record(t, s, fmt.Sprint(i), delivered(1, "a", "b"))
		}
		// One from before there were summaries.
		require.NoError(t, rdb.HDel(t.Context(), "{darkroom}:order:1", "brief").Err())
		seen := map[string]order.Order{}
		where := func(o store.Tracked) bool {
			if _, known := seen[o.ID]; !known {
				seen[o.ID] = o.Order
			}
			return o.Order.Status == order.StatusReviewing && o.Order.Rev() == 1 && o.Images == 0
		}
		got, total, err := s.Orders.InChannels(t.Context(), "T1", []string{"C1"}, where, 1, 1)
		require.NoError(t, err)
		assert.Equal(t, 3, total)
		assert.Equal(t, []string{"1"}, names(got))
		assert.Len(t, got[0].Order.EditedImages, 2, "what is shown is whole")
		assert.Len(t, seen, 3)
		assert.Empty(t, seen["2"].EditedImages)
		assert.Empty(t, seen["0"].EditedImages)
		got, _, err = s.Orders.Requested(t.Context(), "T1", "UMARIA", nil, 0, 0)
		require.NoError(t, err)
		assert.Equal(t, []string{"2", "1", "0"}, names(got))
		for _, o := range got {
			assert.Len(t, o.Order.EditedImages, 2, o.ID)
		}
	})
}

func TestTheSummaryOfAnOrderIsAsItIsInFull(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		asked(t, s, "1")
		check := func(step string) {
			t.Helper()
			full, err := s.Orders.Order(t.Context(), "1")
			require.NoError(t, err)
			full.Order.CustomerID = full.CustomerID()
			full.Order.EditedImages, full.Order.Conversation, full.Intent, full.Thread, full.Delivered, full.Brief = nil, nil, nil, nil, nil, nil
			full.CardTS, full.CardVersion, full.InFlight, full.Compared = "", 0, nil, time.Time{}
			_, _, err = s.Orders.Requested(t.Context(), "T1", "UMARIA", func(summary store.Tracked) bool {
				assert.Equal(t, full, summary, step)
				return false
			}, 0, 1)
			require.NoError(t, err)
		}
		check("placed")
		record(t, s, "1", delivered(1, "a"))
		check("delivered")
		record(t, s, "1", anOrder(order.StatusClosed, 1))
		check("closed")
		_, err := s.Changes.Move(t.Context(), "1", "C2", "UBEN")
		require.NoError(t, err)
		check("moved")
	})
}
