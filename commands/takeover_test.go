package commands_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/commands/commandstest"
	"darkroom/order"
	"darkroom/store"
)

func TestWhoPressesFirstHasTheOrderAndTheOthersReadWho(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Owns("order001", "C1", order.FormerPerson, nil)
		press := func(user, channel string) string {
			return r.Does(bot.Request{Name: cards.ActionTakeOver, Value: cards.Value("order001", 0), User: user, Channel: channel})
		}
		require.Contains(r.T, press("ines", "C1"), "Nothing was changed")
		require.Contains(r.T, press("stranger", "D9"), "There is no order")
		require.Equal(r.T, order.FormerPerson, r.Stored("order001").Owner.Requester)

		require.Contains(r.T, press("boss", "C1"), "is yours now")
		require.Equal(r.T, "boss", r.Stored("order001").Owner.Requester)
		require.Contains(r.T, press("maria", "C1"), "Nothing was changed")
		require.Contains(r.T, press("boss", "C1"), "is yours already")
		require.Equal(r.T, "boss", r.Stored("order001").Owner.Requester)
	})
}

func TestNobodyTakesOverFromWhoIsHere(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Owns("order001", "C1", "maria", nil)
		says := r.Does(bot.Request{Name: cards.ActionTakeOver, Value: cards.Value("order001", 0), User: "boss", Channel: "C1"})
		require.Contains(r.T, says, "and is here. Nothing was changed")
		require.Equal(r.T, "maria", r.Stored("order001").Owner.Requester)
	})
}

// Only people to whom an order was offered see it while Slack refuses to describe its channel.
func TestWhomAnOrderWasOfferedToTakesItOverAndMovesIt(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Owns("order001", "CAWAY", order.FormerPerson, nil)
		take := bot.Request{Name: cards.ActionTakeOver, Value: cards.Value("order001", 0), User: "maria", Channel: "D1"}
		require.Contains(r.T, r.Does(take), "There is no order")
		require.NoError(r.T, r.Store.Documents.PutTTL(r.T.Context(), store.OfferDoc("order001"), store.Offer{Generation: 1, People: []string{"maria"}}, time.Hour))
		take.User = "tom"
		require.Contains(r.T, r.Does(take), "There is no order")
		move := bot.Request{Name: cards.ActionMove, Value: cards.Value("order001", 0), User: "maria", Channel: "D1"}
		require.Contains(r.T, r.Does(move), "Move to", "even before")
		take.User = "maria"
		require.True(r.T, commandstest.ContainsAll(r.Does(take), "is yours now", "Move This Order"))
		require.Contains(r.T, r.Moves("maria", "C1", false), "Make it public")
		require.Contains(r.T, r.Moves("maria", "C1", true), "is in <#C1> now")
		require.Equal(r.T, "maria", r.Stored("order001").Owner.Requester)
	})
}

func TestOperatorsMoveWhatWasToldToThemAlone(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Owns("order001", "CAWAY", order.FormerPerson, nil)
		require.Contains(r.T, r.Says("boss", "C1", "move order001 C1"), "There is no order")
		require.NoError(r.T, r.Store.Documents.PutTTL(r.T.Context(), store.OfferDoc("order001"), store.Offer{Generation: 1, Operators: true}, time.Hour))
		require.Contains(r.T, r.Says("maria", "C1", "move order001 C1"), "There is no order", "she is no operator")
		require.Contains(r.T, r.Says("boss", "C1", "move order001 C1"), "Move This Order", "asked whether others may see it")
	})
}
