package commands_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/slack-go/slack"
	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/commands/commandstest"
	"darkroom/order"
)

func TestTheWholeHistoryIsShownPageByPage(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		o := r.Owns("order001", "C1", "maria", nil)
		for i := range 30 {
			seen := order.Order{Conversation: []order.Entry{{From: "Anna", Content: fmt.Sprintf("Word %02d.", i), CreatedAt: time.Now().Add(time.Duration(i) * time.Second)}}}
			now, err := r.Store.Orders.Order(r.T.Context(), o.ID)
			require.NoError(r.T, err)
			_, _, err = r.Store.Changes.Record(r.T.Context(), o.ID, now.Version, seen)
			require.NoError(r.T, err)
		}
		page := r.Says("tom", "C1", "history") // the only order
		require.True(r.T, commandstest.ContainsAll(page, "History of", "page 1 of 3", "Word 29."), page)
		for _, want := range []string{"page 2 of 3", "page 3 of 3"} {
			value := commandstest.Button(r.Screen.LastMessage(), cards.ActionHistory+"older")
			require.NotEmpty(r.T, value)
			r.Click(bot.Request{Kind: bot.KindAction, Name: cards.ActionHistory + "older", Value: value, User: "tom", Channel: "C1", ResponseURL: "https://hooks"})
			require.Contains(r.T, commandstest.Readable(r.Screen.LastMessage()), want)
		}
		require.Contains(r.T, r.Screen.LastMessage(), "Placed")
		require.Empty(r.T, commandstest.Button(r.Screen.LastMessage(), cards.ActionHistory+"older"))

		window := r.Does(bot.Request{Name: cards.ActionHistory + "open", Value: cards.Value("order001", 0), View: commandstest.InWindow("C1"), User: "ines"})
		require.True(r.T, commandstest.ContainsAll(window, cards.TitleHistory, "page 1 of 3"), window)
		last := r.Screen.Last()
		r.Does(bot.Request{Name: cards.ActionHistory + "older", Value: cards.Value("order001", 1), View: &slack.View{Type: slack.VTModal, ExternalID: last}, User: "ines"})
		require.Contains(r.T, r.Screen.Shown[last], "page 2 of 3", "in the same window")
	})
}

func TestAHistoryIsHiddenFromOutsiders(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Owns("order001", "CWEDDING", "maria", nil)
		other := r.Says("tom", "C1", "history order999")
		require.Contains(r.T, other, "There is no order “order999”")
		require.Contains(r.T, r.Says("tom", "C1", "history order001"), "There is no order “order001”.")
		for _, view := range []*slack.View{nil, commandstest.InWindow("C1"), commandstest.AtHome()} {
			for _, way := range []string{"open", "older"} {
				shown := r.Does(bot.Request{Name: cards.ActionHistory + way, Value: cards.Value("order001", 0), View: view, User: "tom"})
				require.NotContains(r.T, shown, "Project order001")
				require.NotContains(r.T, shown, "Placed")
			}
		}
		require.Contains(r.T, r.Says("maria", "CWEDDING", "history order001"), "Placed")
	})
}
