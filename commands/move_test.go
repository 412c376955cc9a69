package commands_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/commands/commandstest"
	"darkroom/order"
)

func TestALineMovesAnOrderAtOnce(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Houses()
		r.Owns("order001", "C1", "maria", commandstest.InStatus(order.StatusClosed))
		done := r.Says("maria", "C1", "move order001 <#CPUBLIC|public>")
		require.Contains(r.T, done, "is in <#CPUBLIC> now", "who asked for it may, and a closed one, too")
		require.Equal(r.T, "CPUBLIC", r.Stored("order001").Owner.Channel)
		require.Contains(r.T, r.Says("boss", "CPUBLIC", "move order001 CPUBLIC"), "in <#CPUBLIC> already")
		require.Contains(r.T, r.Says("boss", "CPUBLIC", "move order001 C1"), "is in <#C1> now")
		require.Equal(r.T, 3, r.Stored("order001").Owner.Generation)
		require.Empty(r.T, r.Screen.Views)
	})
}

func TestWhatWasPrivateBecomesPublicOnlyAfterAYes(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Houses()
		r.Owns("order001", "CWEDDING", "maria", nil)
		asked := r.Says("maria", "CWEDDING", "move order001 CPUBLIC")
		require.True(r.T, commandstest.ContainsAll(asked, "everybody in the workspace", "Move this order"))
		block := commandstest.CutOut(r.Screen.LastTold(), `"block_id":"`, `"`)
		opened := r.Does(bot.Request{Name: cards.ActionMove, Value: cards.Value("order001", 0), BlockID: block, Channel: "CWEDDING"})
		require.True(r.T, commandstest.ContainsAll(opened, "Move to", "Make it public", `"initial_conversation":"CPUBLIC"`), opened)

		again := r.Moves("maria", "CPUBLIC", false)
		require.Contains(r.T, again, "Make it public", "asked again")
		require.Equal(r.T, "CWEDDING", r.Stored("order001").Owner.Channel)
		require.Contains(r.T, r.Moves("maria", "CPUBLIC", true), "is in <#CPUBLIC> now")
		require.Equal(r.T, "CPUBLIC", r.Stored("order001").Owner.Channel)
	})
}

func TestAnOrderWhoseChannelIsOutOfReachIsMovedFromTheDirectMessage(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Houses()
		r.Owns("order001", "CAWAY", "maria", nil)
		press := bot.Request{Name: cards.ActionMove, Value: cards.Value("order001", 0), Channel: "D1"}
		press.BlockID = "aB3d9" // one that Slack made up
		opened := r.Does(press)
		require.Contains(r.T, opened, "Move to")
		require.NotContains(r.T, opened, "was not moved", "no channel was named yet")
		require.Contains(r.T, r.Moves("maria", "C1", false), "Make it public", "nobody could look into its old channel")
		require.Contains(r.T, r.Moves("maria", "C1", true), "is in <#C1> now")

		r.Owns("order002", "CAWAY", "maria", nil)
		press.Value, press.User = cards.Value("order002", 0), "tom"
		require.Contains(r.T, r.Does(press), "There is no order")
	})
}
