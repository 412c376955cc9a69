package commands_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/cards/home"
	"darkroom/commands/commandstest"
	"darkroom/order"
	"darkroom/store/retention"
)

func TestAnOrderIsShownWhereItWasAskedFor(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Owns("order001", "C1", "maria", commandstest.InStatus(order.StatusReviewing))
		value := cards.Value("order001", 0)
		require.Contains(r.T, r.Says("maria", "C1", "show order001"), "Project order001")
		require.Empty(r.T, r.Screen.Views)

		shown := r.Does(bot.Request{Name: cards.ActionShow, Value: value, View: commandstest.AtHome()})
		require.Len(r.T, r.Screen.Views, 1, "from the Home in a modal")
		require.True(r.T, commandstest.ContainsAll(shown, cards.TitleShow, "Project order001", "Placed", cards.ActionApprove, cards.ActionRevise), shown)
		require.Contains(r.T, r.Does(bot.Request{Name: cards.ActionPick + "show", Value: value, View: commandstest.InWindow("C1")}), cards.TitleShow)
		require.Contains(r.T, r.Does(bot.Request{Name: cards.ActionShow, Value: value}), "Project order001")
		require.Len(r.T, r.Screen.Views, 3, "from a button among the messages, too: it may be pressed in the channel or in a thread")
	})
}

func TestAGuestSeesAnOrderAndMayOnlyFollowIt(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Owns("order001", "C1", "maria", commandstest.InStatus(order.StatusReviewing))
		for _, shown := range []string{
			r.Says("ines", "C1", "show order001"),
			r.Does(bot.Request{Name: cards.ActionShow, Value: cards.Value("order001", 0), View: commandstest.AtHome(), User: "ines"}),
		} {
			require.Contains(r.T, shown, "Project order001")
			require.Equal(r.T, 1, strings.Count(shown, `"action_id"`), shown)
			require.Contains(r.T, shown, cards.ActionFollow)
		}
	})
}

func TestAPictureThatSlackCannotFetchDoesNotCostTheOrder(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Owns("order001", "C1", "maria", func(o *order.Order) {
			o.Status = order.StatusReviewing
			o.EditedImages = []order.EditedImage{{ID: "i1", Name: "a.jpg", Thumb: "https://photos/a.jpg"}}
		})
		require.Contains(r.T, r.Says("maria", "C1", "show"), "image_url")
		r.Screen.NoPictures = true
		shown := r.Says("maria", "C1", "show")
		require.Contains(r.T, shown, "a.jpg")
		require.NotContains(r.T, shown, "image_url")
	})
}

func TestAWordThatNamesNoOrderShowsNoOther(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Owns("order001", "C1", "maria", nil)
		for _, word := range []string{"12", "Smith", "NOSUCH"} {
			shown := r.Says("maria", "C1", "show "+word)
			require.Contains(r.T, shown, "There is no order “"+word+"”.")
			require.NotContains(r.T, shown, "Project order001")
		}
		require.Contains(r.T, r.Says("boss", "C1", "untrack Smith"), "There is no order “Smith”.")
	})
}

func TestAGuestIsToldBeforeTheOrderFormOpens(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		require.True(r.T, commandstest.ContainsAll(r.Says("ines", "C1", "new https://a/b.jpg"), "Guests may look at orders but not place them", "https://a/b.jpg"))
		require.Contains(r.T, r.Does(bot.Request{Name: home.ActionNew, Value: "new", View: commandstest.AtHome(), User: "ines"}), "Guests may look")
		require.Empty(r.T, r.Screen.Views)
	})
}

// An order that finished a while ago is stored without its images: the person still sees them all, and the history.
func TestAnOrderOfLongAgoIsShownWithItsPictures(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		o := r.Owns("order001", "C1", "maria", func(o *order.Order) {
			o.Status = order.StatusClosed
			o.EditedImages = []order.EditedImage{{ID: "i1", Name: "a.jpg", Thumb: "https://photos/a.jpg"}}
		})
		require.NoError(r.T, r.Store.Announcements.SkipPending(r.T.Context(), o.ID, o.Owner.Generation))
		_, err := retention.NewRetirement(r.Store).ApplyRetention(r.T.Context(), retention.Policy{})
		require.NoError(r.T, err)
		kept, err := r.Store.Orders.Order(r.T.Context(), o.ID)
		require.NoError(r.T, err)
		require.Empty(r.T, kept.Order.EditedImages)

		shown := r.Says("maria", "C1", "show order001")
		require.True(r.T, commandstest.ContainsAll(shown, "Project order001", "Placed", "a.jpg", "image_url"), shown)
		require.Contains(r.T, r.Does(bot.Request{Name: cards.ActionShow, Value: cards.Value("order001", 0), View: commandstest.AtHome()}), "a.jpg")

		r.Service.Set(func(f *commandstest.Service) { f.Down = true })
		shown = r.Says("maria", "C1", "show order001")
		require.True(r.T, commandstest.ContainsAll(shown, "Project order001", "Placed", "I cannot get this order's edited photos"), shown)
	})
}
