package commands_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/cards/home"
	"darkroom/commands/commandstest"
)

func TestHundredsOfOrdersAreListedSearchedAndShownInTheHome(t *testing.T) {
	t.Parallel()
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		for i := range 200 {
			r.Owns(fmt.Sprint("order", i), "C1", "maria", nil)
		}
		require.Contains(t, r.Says("maria", "C1", "list"), "200 orders, page 1 of 20")
		require.Contains(t, r.Says("maria", "C1", "list order7 project"), "11 orders")
		require.Len(t, r.Suggests("message", "order19", bot.Request{User: "maria", Channel: "C1"}), 11)
		require.Len(t, r.Suggests("message", "", bot.Request{User: "maria", Channel: "C1"}), cards.MaxChoices)
		require.Contains(t, r.Says("maria", "C1", "message hello there"), "Which order?")
		require.Contains(t, r.Comes("maria"), "In progress* · 200 orders")
	})
}

// Slack allows about a hundred members calls a minute. A Home with one call for each of fifty channels would be slow,
// and the second Home would fail.
func TestOrdersInFiftyChannelsDoNotAskSlackFiftyTimes(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		for i := range 50 {
			channel := fmt.Sprint("CMANY", i)
			r.Screen.Channels[channel] = commandstest.Channel{Private: i%2 == 0, Members: []string{"maria"}}
			r.Owns(fmt.Sprint("order", i), channel, "maria", nil)
		}
		r.Screen.Channels["CLEFT"] = commandstest.Channel{Private: true, Members: []string{"tom"}}
		r.Owns("left", "CLEFT", "maria", nil)
		for what, look := range map[string]func() string{
			"home":         func() string { return r.Comes("maria") },
			"list in a DM": func() string { return r.Says("maria", "D1", "list") },
			"picker in a DM": func() string {
				return fmt.Sprint(len(r.Suggests("show", "", bot.Request{User: "maria", Channel: "D1"})), " orders")
			},
			"home of channels": func() string { return r.Turns("maria", home.ActionFilter, "true:") },
		} {
			before := r.Screen.Asked
			require.Contains(t, look(), "50 orders", what)
			require.LessOrEqual(t, r.Screen.Asked-before, 3+1, what)
		}
	})
}
