package commands_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/commands/commandstest"
	"darkroom/order"
)

func TestAnOldButtonShowsTheNewerRevision(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.InReview()
		r.Service.Edit(id, func(o *order.Order) { one := 1; o.Revision = &one })
		r.Record()
		r.Presses(cards.ActionApprove, cards.Value(id, 0))
		require.Contains(r.T, r.Screen.Modal(), "newer")
	})
}

func TestWhoMayNot(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		id := r.InReview()
		r.Screen.Guests = map[string]bool{"ines": true}
		r.Screen.Out = map[string]bool{"tom": true}
		for name, action := range map[string]string{
			"approve": cards.ActionApprove, "revise": cards.ActionRevise, "cancel": cards.ActionCancel,
		} {
			r.Click(bot.Request{Kind: bot.KindAction, Name: action, Value: cards.Value(id, 0), User: "ines"})
			require.Contains(r.T, r.Screen.Modal(), "Guests may look", name)
			require.Empty(r.T, r.Screen.View(r.Screen.Last()).CallbackID, "nothing can be submitted")
			r.Click(bot.Request{Kind: bot.KindAction, Name: action, Value: cards.Value(id, 0), User: "tom"})
			hidden := r.Screen.Modal()
			require.Empty(r.T, r.Screen.View(r.Screen.Last()).CallbackID, "nothing can be submitted")
			r.Click(bot.Request{Kind: bot.KindAction, Name: action, Value: cards.Value("nowhere", 0), User: "tom"})
			require.Equal(r.T, unnamed(hidden, id), unnamed(r.Screen.Modal(), "nowhere"), "hidden and absent read the same")
		}
	})
}

var externalID = regexp.MustCompile(`"external_id":"[^"]*"`)

// unnamed removes the window's id and the order's id from a modal.
func unnamed(modal, id string) string { return replace(externalID.ReplaceAllString(modal, ""), id) }

func TestApproveWithoutAnIDMeansTheOnlyOrderInReview(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.InReview()
		r.Types("approve")
		require.Contains(r.T, r.Screen.Modal(), "Approve order")
	})
}

func TestAnOrderThatIsNotInReviewSaysSo(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Types("new")
		r.Submits()
		r.Types("approve order1")
		require.Contains(r.T, r.Screen.Modal(), "edit")
		require.Empty(r.T, r.Screen.View(r.Screen.Last()).CallbackID, "nothing can be submitted")
	})
}
