package commands

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
)

func TestAThousandOrdersAreListedSearchedAndShownInTheHome(t *testing.T) {
	t.Parallel()
	bubble(t, func(r *rig) {
		r.houses()
		for i := range 1000 {
			r.owns(fmt.Sprint("order", i), "C1", "maria", nil)
		}
		require.Contains(t, r.says("maria", "C1", "list"), "1000 orders, page 1 of 100")
		require.Contains(t, r.says("maria", "C1", "list order7 project"), "111 orders")
		require.Len(t, r.suggests("message", "order99", bot.Request{User: "maria", Channel: "C1"}), 11)
		require.Len(t, r.suggests("message", "", bot.Request{User: "maria", Channel: "C1"}), cards.MaxChoices)
		require.Contains(t, r.says("maria", "C1", "message hello there"), "Which order?")
		require.Contains(t, r.comes("maria"), "In progress* · 1000 orders")
	})
}

// Slack lets an app ask for members about a hundred times a minute; a Home that asks once
// for each of fifty channels would be slow, and the second one refused.
func TestOrdersInFiftyChannelsDoNotAskSlackFiftyTimes(t *testing.T) {
	bubble(t, func(r *rig) {
		r.houses()
		for i := range 50 {
			channel := fmt.Sprint("CMANY", i)
			r.screen.rooms[channel] = room{private: i%2 == 0, members: []string{"maria"}}
			r.owns(fmt.Sprint("order", i), channel, "maria", nil)
		}
		r.screen.rooms["CLEFT"] = room{private: true, members: []string{"tom"}}
		r.owns("left", "CLEFT", "maria", nil)
		for what, look := range map[string]func() string{
			"home":         func() string { return r.comes("maria") },
			"list in a DM": func() string { return r.says("maria", "D1", "list") },
			"picker in a DM": func() string {
				return fmt.Sprint(len(r.suggests("show", "", bot.Request{User: "maria", Channel: "D1"})), " orders")
			},
			"home of channels": func() string { return r.turns("maria", cards.ActionHomeFilter, "true:") },
		} {
			before := r.screen.asked
			require.Contains(t, look(), "50 orders", what)
			require.LessOrEqual(t, r.screen.asked-before, 3+1, what)
		}
	})
}
