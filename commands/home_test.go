package commands_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/commands/commandstest"
)

func TestOnlyWhoOpenedTheirHomeGetsItAnew(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Houses()
		r.Visits("tom", "messages")
		r.Jobs.HomeChanged(r.T.Context(), "T1", "maria")
		r.Settle(time.Second)
		require.Empty(r.T, r.Screen.Homes)

		r.Comes("maria")
		r.Owns("order001", "C1", "maria", nil)
		require.NotContains(r.T, r.Home("maria"), "order001", "never for everyone")
		r.Says("maria", "C1", "move order001 CPUBLIC")
		require.True(r.T, commandstest.ContainsAll(r.Home("maria"), "order001", "CPUBLIC"), "after what they did themselves")
		require.Len(r.T, r.Screen.Homes, 1)
	})
}

func TestAButtonOfTheHomeThatMeansNothing(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.Houses()
		before := r.Comes("maria")
		for action, value := range map[string]string{cards.ActionHomeFilter: "everything", cards.ActionHomePage + "older": "-1", cards.ActionHomePage + "newer": "x"} {
			require.Equal(r.T, before, r.Turns("maria", action, value))
		}
		_, err := r.Handle(r.T.Context(), bot.Request{Kind: bot.KindEvent, Name: "app_home_opened", Event: json.RawMessage(`{`)})
		require.Error(r.T, err)
	})
}
