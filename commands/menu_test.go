package commands_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/commands/commandstest"
)

func TestAnEntryOfACardsMenuDoesItsVerb(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Owns("order001", "C1", "maria", nil)
		entry := func(value string) string {
			return r.Does(bot.Request{Name: cards.ActionMenu, Value: value, User: "maria"})
		}
		require.Contains(r.T, entry("show "+cards.Value("order001", 0)), "Project order001")
		require.Contains(r.T, entry("shwo "+cards.Value("order001", 0)), "/order show", "of another release, perhaps")
	})
}
