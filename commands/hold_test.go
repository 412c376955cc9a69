package commands_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/commands/commandstest"
	"darkroom/store"
)

// Who presses what another has pressed before learns of that, and nothing is done twice.
func TestWhoAnswersAQuestionSecondReadsWhoWasFirst(t *testing.T) {
	for first, says := range map[string]string{cards.ActionAllow: "tom has already allowed", cards.ActionDecline: "tom has already declined"} {
		for _, second := range []string{cards.ActionAllow, cards.ActionDecline} {
			t.Run(first+" and "+second, func(t *testing.T) {
				commandstest.Bubble(t, func(r *commandstest.Rig) {
					r.Houses()
					h := heldOrder(r, store.Decides{Approvers: []string{"tom", "boss"}, Spenders: []string{"tom"}})
					require.NotContains(r.T, r.Does(bot.Request{Name: first, Value: h.ID(), User: "tom"}), "already")
					require.Contains(r.T, r.Does(bot.Request{Name: second, Value: h.ID(), User: "boss"}), says)
					require.NotContains(r.T, r.Does(bot.Request{Name: first, Value: h.ID(), User: "tom"}), "already", "it is what he wanted")
					r.Settle(time.Minute)
					_, decision, err := r.Store.Hold(r.T.Context(), h.ID())
					require.NoError(r.T, err)
					require.Equal(r.T, store.HoldDecision{By: "tom", At: decision.At, Allowed: first == cards.ActionAllow}, *decision)
				})
			})
		}
	}
}

// The question may be too old, or be of another workspace.
func TestAQuestionThatIsNotTheirsIsNotAnswered(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Houses()
		h := store.Hold{Draft: "d", Attempt: 2, Team: "T2", Channel: "C1", User: "maria"}
		require.NoError(r.T, r.Store.AskHold(r.T.Context(), h))
		for _, id := range []string{h.ID(), "forgotten.2"} {
			require.Contains(r.T, r.Does(bot.Request{Name: cards.ActionAllow, Value: id, User: "tom"}), "There is no such question any more")
		}
		_, decision, err := r.Store.Hold(r.T.Context(), h.ID())
		require.NoError(r.T, err)
		require.Nil(r.T, decision)
	})
}
