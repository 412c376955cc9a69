package store_test

import (
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/store"
)

// A service may count the revisions of pictures otherwise than those of the order: what it
// shows when it is ready is what there is to review.
func TestPicturesThatAreCountedAheadOfTheOrderAreShown(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		ready := anOrder(order.StatusReviewing, 0)
		ready.EditedImages = []order.EditedImage{{ID: "a", Revision: 1}, {ID: "b", Revision: 1}}
		record(t, s, "1", ready)
		for range 2 {
			events, err := s.Orders.Events(t.Context(), "1")
			require.NoError(t, err)
			require.Equal(t, ready.EditedImages, events[1].Order.EditedImages)
			record(t, s, "1", anOrder(order.StatusClosed, 0)) // which tells of no pictures
		}
	})
}
