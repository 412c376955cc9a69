package commands

import (
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/order"
	"darkroom/store"
)

func TestAnOrderIsShownWhereItWasAskedFor(t *testing.T) {
	bubble(t, func(r *rig) {
		r.houses()
		r.owns("order001", "C1", "maria", inStatus(order.StatusReviewing))
		value := cards.Value("order001", 0)
		require.Contains(r.t, r.says("maria", "C1", "show order001"), "Project order001")
		require.Empty(r.t, r.screen.views)

		shown := r.does(bot.Request{Name: cards.ActionShow, Value: value, View: atHome()})
		require.Len(r.t, r.screen.views, 1, "from the Home in a modal")
		require.True(r.t, containsAll(shown, cards.TitleShow, "Project order001", "Placed", cards.ActionApprove, cards.ActionRevise), shown)
		require.Contains(r.t, r.does(bot.Request{Name: cards.ActionPick + "show", Value: value, View: inWindow("C1")}), cards.TitleShow)
		require.Contains(r.t, r.does(bot.Request{Name: cards.ActionShow, Value: value}), "Project order001")
		require.Len(r.t, r.screen.views, 2, "from a list among the messages")
	})
}

func TestAGuestSeesAnOrderWithoutButtons(t *testing.T) {
	bubble(t, func(r *rig) {
		r.houses()
		r.owns("order001", "C1", "maria", inStatus(order.StatusReviewing))
		for _, shown := range []string{
			r.says("ines", "C1", "show order001"),
			r.does(bot.Request{Name: cards.ActionShow, Value: cards.Value("order001", 0), View: atHome(), User: "ines"}),
		} {
			require.Contains(r.t, shown, "Project order001")
			require.NotContains(r.t, shown, `"actions"`)
		}
	})
}

func TestAPictureThatSlackCannotFetchDoesNotCostTheOrder(t *testing.T) {
	bubble(t, func(r *rig) {
		r.houses()
		r.owns("order001", "C1", "maria", func(o *order.Order) {
			o.Status = order.StatusReviewing
			o.EditedImages = []order.EditedImage{{ID: "i1", Name: "a.jpg", Thumb: "https://photos/a.jpg"}}
		})
		require.Contains(r.t, r.says("maria", "C1", "show"), "image_url")
		r.screen.blind = true
		shown := r.says("maria", "C1", "show")
		require.Contains(r.t, shown, "a.jpg")
		require.NotContains(r.t, shown, "image_url")
	})
}

func TestAWordThatNamesNoOrderShowsNoOther(t *testing.T) {
	bubble(t, func(r *rig) {
		r.houses()
		r.owns("order001", "C1", "maria", nil)
		for _, word := range []string{"12", "Smith", "NOSUCH"} {
			shown := r.says("maria", "C1", "show "+word)
			require.Contains(r.t, shown, "There is no order “"+word+"” here")
			require.NotContains(r.t, shown, "Project order001")
		}
		require.Contains(r.t, r.says("boss", "C1", "untrack Smith"), "There is no order “Smith” here")
	})
}

func TestAGuestIsToldBeforeTheOrderFormOpens(t *testing.T) {
	bubble(t, func(r *rig) {
		r.houses()
		require.True(r.t, containsAll(r.says("ines", "C1", "new https://a/b.jpg"), "Guests may look at orders but not place them", "https://a/b.jpg"))
		require.Contains(r.t, r.does(bot.Request{Name: cards.ActionHomeNew, Value: "new", View: atHome(), User: "ines"}), "Guests may look")
		require.Empty(r.t, r.screen.views)
	})
}

// An order that ended a while ago is kept without its pictures: who asks sees them all the
// same, and its history.
func TestAnOrderOfLongAgoIsShownWithItsPictures(t *testing.T) {
	bubble(t, func(r *rig) {
		r.houses()
		o := r.owns("order001", "C1", "maria", func(o *order.Order) {
			o.Status = order.StatusClosed
			o.EditedImages = []order.EditedImage{{ID: "i1", Name: "a.jpg", Thumb: "https://photos/a.jpg"}}
		})
		require.NoError(r.t, r.store.Settle(r.t.Context(), o.ID, o.Owner.Generation))
		require.NoError(r.t, r.store.Tend(r.t.Context(), store.Keep{}))
		kept, err := r.store.Order(r.t.Context(), o.ID)
		require.NoError(r.t, err)
		require.Empty(r.t, kept.Order.EditedImages)

		shown := r.says("maria", "C1", "show order001")
		require.True(r.t, containsAll(shown, "Project order001", "Placed", "a.jpg", "image_url"), shown)
		require.Contains(r.t, r.does(bot.Request{Name: cards.ActionShow, Value: cards.Value("order001", 0), View: atHome()}), "a.jpg")

		r.service.set(func(f *forgetful) { f.down = true })
		shown = r.says("maria", "C1", "show order001")
		require.True(r.t, containsAll(shown, "Project order001", "Placed", "The photo service keeps this order's edited images"), shown)
	})
}
