package store_test

import (
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/store"
)

// The answer to a request of ours says how the order stands, and shows no pictures: that it
// is ready is told with its pictures, by the next look.
func TestAnAnswerWithoutPicturesMakesNothingReady(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		for name, answer := range map[string]order.Order{
			"of a request that shows nothing": anOrder(order.StatusReviewing, 0),
			"with the talk":                   {Status: order.StatusReviewing, Conversation: []order.Entry{}},
		} {
			t.Run(name, func(t *testing.T) {
				id := name
				place(t, s, id)
				require.NoError(t, s.Changes.Intend(t.Context(), id, order.Intent{Verb: order.VerbReference, Words: []string{"https://a/b.jpg"}, Job: "j"}))
				o, events, err := s.Changes.RecordAnswer(t.Context(), id, 1, answer, "j")
				require.NoError(t, err)
				require.NotContains(t, ids(events), "ready:r0")
				require.Equal(t, order.StatusReviewing, o.Order.Status)
				active, err := s.Active(t.Context())
				require.NoError(t, err)
				require.True(t, active[id].Differs(anOrder(order.StatusReviewing, 0)), "so it is looked at again")
				_, events = record(t, s, id, delivered(0, "a"))
				require.Equal(t, []string{"ready:r0"}, ids(events))
			})
		}
	})
}

// Changes have the number of the revision that will bring them, whatever was known before.
func TestChangesAreNumberedByTheRevisionThatIsComing(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		for name, row := range map[string]struct {
			known, seen order.Order
			want        string
		}{
			"after a pause":           {anOrder(order.StatusPaused, 1), anOrder(order.StatusRevising, 2), "changes:r2"},
			"after several unseen":    {delivered(0, "a"), anOrder(order.StatusRevising, 3), "changes:r3"},
			"while the last was made": {anOrder(order.StatusRevising, 1), anOrder(order.StatusRevising, 2), "changes:r2"},
			"counted on delivery":     {delivered(1, "b"), anOrder(order.StatusRevising, 1), "changes:r2"}, // those of r1 were told
		} {
			t.Run(name, func(t *testing.T) {
				place(t, s, name)
				record(t, s, name, row.known)
				_, events := record(t, s, name, row.seen)
				require.Equal(t, []string{row.want}, ids(events))
			})
		}
	})
}

// A channel lists what it gets by moving among its own, by when it was ordered; an order of
// which that is not known keeps the time since when it is ours.
func TestAMovedOrderKeepsItsPlaceInTheList(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		for i, id := range []string{"first", "second", "third"} {
			_, err := s.Changes.AddOrder(t.Context(), store.NewOrder{ID: id, Owner: owner, Order: order.Order{Status: order.StatusEditing}})
			require.NoError(t, err)
			at := float64(time.Now().Add(time.Duration(i-10) * time.Hour).UnixMilli()) // as if placed then
			require.NoError(t, rdb.ZAdd(t.Context(), "{darkroom}:channel:T1:C1", redis.Z{Score: at, Member: id}).Err())
		}
		for _, id := range []string{"third", "first", "second"} {
			_, err := s.Changes.Move(t.Context(), id, "C2", "UBEN")
			require.NoError(t, err)
		}
		require.Equal(t, []string{"third", "second", "first"}, channels(t, s)["C2"])
	})
}

// What the service takes out of its answer, an event that showed it still shows; what it still
// has is kept once.
func TestAnEventKeepsOnlyThePicturesThatTheSnapshotHasNot(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		first := pictures(2, 0, time.Unix(1000, 0).UTC())
		second := pictures(2, 1, time.Unix(2000, 0).UTC())
		look := func(revision int, images ...order.EditedImage) {
			o := anOrder(order.StatusReviewing, revision)
			o.EditedImages = images
			record(t, s, "1", o)
		}
		kept := func() (copies int) {
			docs, err := rdb.LRange(t.Context(), "{darkroom}:events:1", 0, -1).Result()
			require.NoError(t, err)
			for _, doc := range docs {
				if len(doc) > 1000 {
					copies++
				}
			}
			return copies
		}
		shows := func(id string, images ...order.EditedImage) {
			t.Helper()
			events, err := s.Orders.Events(t.Context(), "1")
			require.NoError(t, err)
			_, unannounced, err := s.Announcements.Pending(t.Context(), "1")
			require.NoError(t, err)
			require.Equal(t, events, unannounced)
			for _, e := range events {
				if e.ID == id {
					require.Equal(t, images, e.Order.EditedImages, id)
					return
				}
			}
			require.Fail(t, "no event "+id)
		}
		look(0, first...)
		shows("ready:r0", first...)
		look(1, append(first, second...)...)
		shows("ready:r0", first...)
		shows("ready:r1", append(first, second...)...)
		require.Zero(t, kept(), "the snapshot has them all")

		third := pictures(2, 2, time.Unix(3000, 0).UTC())
		look(2, third...)
		shows("ready:r0", first...)
		shows("ready:r1", append(first, second...)...)
		shows("ready:r2", third...)
		require.Equal(t, 2, kept(), "the snapshot has them no longer")
	})
}
