package store_test

import (
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/store"
)

// filledIn is a draft of a photo from Slack with words of its own, an address and a reference.
func filledIn() store.Draft {
	return store.Draft{
		User: "UMARIA", Instructions: []string{"Brighten."}, Service: order.ServiceBasic, CustomerID: "0042",
		Files: []store.DraftFile{{ID: "F1", Name: "beach.jpg", URL: "https://d.example.com/files/secret/beach.jpg"}},
		URLs:  []string{"https://example.com/a/cake.jpg", "https://example.com/mood.jpg"},
		Each: map[string]store.PerImage{
			"https://d.example.com/files/secret/beach.jpg": {Service: order.ServiceExtensive, Instruction: "Remove the gull."},
			"https://example.com/mood.jpg":                 {Service: order.ServiceReference},
		},
	}
}

func TestADraftIsKeptAsTheBriefOfItsOrder(t *testing.T) {
	require.Equal(t, &order.Brief{
		By: "UMARIA", Instructions: []string{"Brighten."}, Service: order.ServiceBasic, CustomerID: "0042",
		Sources: []order.Source{
			{Name: "beach.jpg", File: "F1", Service: order.ServiceExtensive, Instruction: "Remove the gull."}, // its signed address is a secret
			{Name: "cake.jpg", URL: "https://example.com/a/cake.jpg"},
			{Name: "mood.jpg", URL: "https://example.com/mood.jpg", Service: order.ServiceReference},
		},
	}, filledIn().Brief())
}

// asked places an order of that draft.
func asked(t *testing.T, s *store.Store, id string) store.Tracked {
	t.Helper()
	tracked, err := s.Changes.AddOrder(t.Context(), store.NewOrder{
		ID: id, Owner: owner, Reference: "REF" + id, Brief: filledIn().Brief(), Order: anOrder(order.StatusEditing, 0),
	})
	require.NoError(t, err)
	return tracked
}

func TestAnOrderKeepsItsBriefWhateverHappensToIt(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		full := filledIn().Brief()
		check := func(step string, want order.Brief) {
			t.Helper()
			got, err := s.Orders.Order(t.Context(), "1")
			require.NoError(t, err)
			require.Equal(t, &want, got.Brief, step)
			require.Equal(t, []int{2, 1}, []int{got.Images, got.References}, step)
		}
		asked(t, s, "1")
		check("placed", *full)
		record(t, s, "1", delivered(0, "a"))
		check("delivered", *full)
		_, err := s.Changes.Move(t.Context(), "1", "C2", "UBEN")
		require.NoError(t, err)
		check("moved", *full)
		record(t, s, "1", anOrder(order.StatusClosed, 0))
		announced(t, s, "1")
		applyRetention(t, s, atOnce)
		check("shrunk", full.Essence())
		listed, _, err := s.Orders.InChannels(t.Context(), "T1", []string{"C2"}, nil, 0, 9)
		require.NoError(t, err)
		require.Equal(t, full.Essence(), *listed[0].Brief)
		record(t, s, "1", delivered(1, "b"))
		check("it goes on", full.Essence())
	})
}

func TestAnOrderThatIsTrackedAgainHasItsBriefAgain(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		for name, shrinks := range map[string]bool{"at once": false, "after it had shrunk": true} {
			t.Run(name, func(t *testing.T) {
				id, want := "1"+name, *filledIn().Brief()
				asked(t, s, id)
				_, err := s.Changes.Untrack(t.Context(), id, "UBEN")
				require.NoError(t, err)
				if shrinks {
					require.NoError(t, s.Announcements.SkipPending(t.Context(), id, 1))
					applyRetention(t, s, atOnce)
					want = want.Essence()
				}
				now, err := s.Changes.AddOrder(t.Context(), store.NewOrder{ID: id, Owner: owner, Adopted: true, Order: anOrder(order.StatusEditing, 0)})
				require.NoError(t, err)
				require.False(t, now.Untracked || now.Shrunk)
				require.Equal(t, &want, now.Brief)
				require.Equal(t, []int{2, 1}, []int{now.Images, now.References})
			})
		}
	})
}

// An operator tracks the order that a form was sent as, before the form's job has found it.
func TestAnOrderThatWasTrackedBeforeItWasFoundGetsItsBrief(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, _ redis.UniversalClient) {
		t.Helper()
		_, err := s.Changes.AddOrder(t.Context(), store.NewOrder{ID: "1", Owner: owner, Adopted: true, Order: anOrder(order.StatusEditing, 0)})
		require.NoError(t, err)
		now := asked(t, s, "1")
		require.Equal(t, filledIn().Brief(), now.Brief)
		require.Equal(t, 1, now.References)
	})
}

func TestAnOrderOfAnOlderReleaseHasNoBrief(t *testing.T) {
	each(t, func(t *testing.T, s *store.Store, rdb redis.UniversalClient) {
		t.Helper()
		place(t, s, "1")
		require.NoError(t, rdb.HDel(t.Context(), "{darkroom}:order:1", "order_brief", "references").Err())
		before, err := s.Orders.Order(t.Context(), "1")
		require.NoError(t, err)
		require.Nil(t, before.Brief)
		require.Equal(t, 2, before.Images)
		record(t, s, "1", anOrder(order.StatusClosed, 0))
		announced(t, s, "1")
		applyRetention(t, s, atOnce)
		after, err := s.Orders.Order(t.Context(), "1")
		require.NoError(t, err)
		require.True(t, after.Shrunk)
		require.Nil(t, after.Brief)
		require.Equal(t, order.StatusClosed, after.Order.Status)
	})
}
