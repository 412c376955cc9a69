package commands_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/commands/commandstest"
	"darkroom/order"
)

func TestWhatHasEndedIsNotCanceled(t *testing.T) {
	for _, end := range []order.Status{order.StatusClosed, order.StatusCanceled} {
		t.Run(string(end), func(t *testing.T) {
			commandstest.Bubble(t, func(r *commandstest.Rig) {
				id := r.Placed()
				window := r.Opens("maria", cards.ActionCancel, cards.Value(id, 0))
				r.Service.Edit(id, commandstest.InStatus(end))
				r.Sends("maria", window, map[string]string{"Reason": "Wrong photos"})
				require.Contains(r.T, r.Shows(window), `"warning"`)
				require.Contains(r.T, r.Shows(window), "Wrong photos")
				require.Zero(r.T, r.Cancels())

				r.Click(bot.Request{Kind: bot.KindAction, Name: cards.ActionCancel, Value: cards.Value(id, 0)})
				require.Empty(r.T, r.Screen.View(r.Screen.Last()).CallbackID, "nothing can be submitted")
			})
		})
	}
}
