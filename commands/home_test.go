package commands_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"darkroom/order"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/bot/client"
	"darkroom/cards/home"
	"darkroom/commands/commandstest"
)

func TestOnlyWhoOpenedTheirHomeGetsItAnew(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Visits("tom", "messages")
		r.Jobs.Home.Changed(r.T.Context(), "T1", "maria")
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

// Nothing else fills a Home that opens for the first time.
func TestAHomeThatSlackDidNotTakeIsShownLater(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Owns("order001", "C1", "maria", nil)
		r.Screen.NoHomes = []error{&client.Error{Method: "views.publish", Code: "invalid_arguments"}}
		r.Comes("maria")
		require.Len(r.T, r.Screen.Messages, 1, "what Slack refuses for good is said")
		require.Empty(r.T, r.Home("maria"))
		r.Screen.NoHomes = []error{client.ErrTryLater, client.ErrUnknownOutcome}
		r.Comes("maria")
		r.Settle(time.Minute)
		require.Contains(r.T, r.Home("maria"), "order001")
		require.Len(r.T, r.Screen.Messages, 1, "nothing is wrong for them")
	})
}

func TestAButtonOfTheHomeThatMeansNothing(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		before := r.Comes("maria")
		for action, value := range map[string]string{home.ActionFilter: "everything", home.ActionPage + "older": "-1", home.ActionPage + "newer": "x"} {
			require.Equal(r.T, before, r.Turns("maria", action, value))
		}
		_, err := r.Handle(r.T.Context(), bot.Request{Kind: bot.KindEvent, Name: "app_home_opened", Event: json.RawMessage(`{`)})
		require.Error(r.T, err)
	})
}

// The overview shows the first orders of each section. All of one section are read page by page.
func TestASectionOfTheHomeIsPaged(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		for i := range 44 {
			status := order.StatusReviewing
			if i%2 == 1 {
				status = order.StatusClosed
			}
			r.Owns(fmt.Sprintf("order%03d", i), "C1", "maria", commandstest.InStatus(status))
		}
		first := r.Comes("maria")
		require.True(r.T, commandstest.ContainsAll(first, "Waiting for you* · 22 orders", "Recent* · 22 orders", "Show All 22", "Approve Several Orders", "Updated "))
		require.Equal(r.T, 5, strings.Count(first, `"text":"Review"`), "at most five wait at once")
		require.NotContains(r.T, first, "page 1")
		review := r.Turns("maria", home.ActionFilter, "false:review")
		require.True(r.T, commandstest.ContainsAll(review, "22 orders, page 1 of 3", "Show Older", "Show Overview"))
		require.NotContains(r.T, review, "*Recent*")
		second := r.Turns("maria", home.ActionPage+"older", commandstest.Button(review, home.ActionPage+"older"))
		require.True(r.T, commandstest.ContainsAll(second, "page 2 of 3", "Show Newer"))
		last := r.Turns("maria", home.ActionPage+"older", commandstest.Button(second, home.ActionPage+"older"))
		require.Contains(r.T, last, "page 3 of 3")
		require.Contains(r.T, r.Turns("maria", home.ActionPage+"newer", commandstest.Button(last, home.ActionPage+"newer")), "page 2 of 3")
		require.Contains(r.T, r.Turns("maria", home.ActionPage+"older", "99"), "page 3 of 3", "a stale button")
		require.Contains(r.T, r.Comes("maria"), "page 1 of 3", "who comes back begins at the top")
	})
}
