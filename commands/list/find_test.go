package list_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/commands/commandstest"
	"darkroom/order"
)

func TestOrdersAreFoundInAllChannelsOfAPerson(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		called := func(name string, days int) func(*order.Order) {
			return func(o *order.Order) {
				o.ProjectName, o.OrderedAt = name, time.Now().AddDate(0, 0, -days)
			}
		}
		r.Owns("order001", "C1", "tom", called("Smith wedding", 3))
		r.Owns("order002", "CPUBLIC", "tom", called("Smith portraits", 2))
		r.Owns("order003", "CWEDDING", "maria", called("Smith album", 1)) // private, with maria
		r.Owns("order004", "CPUBLIC", "maria", called("Miller catalogue", 0))
		require.Equal(r.T, []string{"003", "002", "001"}, rows(r.Says("maria", "C1", "find smith")), "newest first, wherever it is typed")
		require.Equal(r.T, []string{"003", "002", "001"}, rows(r.Says("maria", "D1", "find smith")))
		require.Equal(r.T, []string{"002", "001"}, rows(r.Says("tom", "C1", "find smith")), "what is private stays so")
		require.Equal(r.T, []string{"003"}, rows(r.Says("maria", "C1", "find mine smith")))
		require.Equal(r.T, []string{"004", "003", "002", "001"}, rows(r.Says("maria", "C1", "find all")))
		require.Equal(r.T, []string{"002"}, rows(r.Says("maria", "C1", `find "smith portraits"`)))
		require.Contains(r.T, r.Says("maria", "C1", "find smith"), "<#CWEDDING>", "each row names its channel")
		require.Contains(r.T, r.Says("tom", "C1", "find album"), "No orders match", "as one that does not exist")
		require.Contains(r.T, r.Says("tom", "C1", "find"), "What shall I look for?")
		require.Contains(r.T, r.Says("tom", "C1", "find account"), "No orders match", "a word like others")
	})
}

func TestTheNextPageOfWhatWasFoundIsLookedForAgain(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		shelf(r, 12)
		r.Owns("order099", "CWEDDING", "maria", nil)
		page := r.Says("maria", "D1", "find all")
		require.Contains(r.T, page, "13 orders, page 1 of 2")
		next := commandstest.Button(page, cards.ActionList+"older")
		require.NotEmpty(r.T, next)
		r.Click(bot.Request{Kind: bot.KindAction, Name: cards.ActionList + "older", Value: next, User: "tom"})
		require.Contains(r.T, r.Screen.LastMessage(), "page 2 of 2")
		require.NotContains(r.T, r.Screen.LastMessage(), "order099", "whoever turns the page sees what they may see")
	})
}
