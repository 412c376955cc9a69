package jobs_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/cards"
	cardshome "darkroom/cards/home"
	"darkroom/commands/commandstest"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/settingstest"
)

func TestTheHomeHasTheirOrdersByWhatIsToBeDone(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		require.True(r.T, commandstest.ContainsAll(r.Comes("maria"), "Credits left: *100*", "Order Photos", "First steps", "Nothing waits for you", "None of your orders is in progress", "None of your orders has ended yet"))
		r.Owns("order001", "C1", "maria", commandstest.InStatus(order.StatusClosed))
		r.Owns("order002", "CWEDDING", "maria", commandstest.InStatus(order.StatusReviewing))
		r.Owns("order003", "C1", "maria", func(o *order.Order) { o.OrderedAt = time.Now() })
		r.Owns("order004", "C1", "tom", commandstest.InStatus(order.StatusReviewing))
		home := r.Comes("maria")
		require.Regexp(r.T, `(?s)Waiting for you\* · 1 order.*Project order002.*In progress\* · 1 order.*Project order003.*Recent\* · 1 order.*Project order001`, home)
		require.NotContains(r.T, home, "order004", "tom's")
		require.Contains(r.T, home, `"text":"Review"`)
		require.Contains(r.T, home, cards.ActionShow)
		require.NotContains(r.T, home, cards.ActionCancel, "one button for each order")
		require.NotContains(r.T, home, "First steps", "an order was approved")
		require.Contains(r.T, r.Turns("maria", cardshome.ActionFilter, "true:"), "Project order004")
		require.NotContains(r.T, r.Turns("maria", cardshome.ActionFilter, "false:review"), "Project order003")
		require.Contains(r.T, r.Home("maria"), "Project order002")
		require.NotContains(r.T, r.Comes("maria"), "Project order003", "the choice is kept")
	})
}

// An approver's Home lists the orders that wait for a decision. In the Home of who placed them they are in progress.
func TestTheHomeOfAnApproverHasWhatWaitsForThem(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		settingstest.Save(r.T, r.Store, "T1", "C1", store.Settings{Decides: store.Decides{Approvers: []string{"tom"}}})
		r.Owns("order001", "C1", "maria", commandstest.InStatus(order.StatusReviewing))
		r.Owns("order002", "C1", "maria", nil)
		r.Owns("order003", "CPUBLIC", "maria", commandstest.InStatus(order.StatusReviewing))
		require.Regexp(r.T, `(?s)Waiting for you\* · 1 order.*Project order003.*In progress\* · 2 orders.*Project order001\*.*waits for an approver`, r.Comes("maria"))
		home := r.Comes("tom")
		require.Regexp(r.T, `(?s)Waiting for you\* · 1 order.*Project order001.*In progress\*\\nNone`, home)
		require.NotContains(r.T, home, "order003", "it waits for any member")
		require.Regexp(r.T, `(?s)Waiting for you\* · 2 orders.*In progress\* · 1 order`, r.Turns("tom", cardshome.ActionFilter, "true:"))
	})
}

func TestAHomeShowsNothingOfChannelsTheyAreNotIn(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Owns("order001", "CWEDDING", "maria", nil)
		r.Owns("order002", "CWEDDING", "tom", nil) // asked for before tom left
		r.Owns("order003", "CPUBLIC", "maria", nil)
		r.Comes("tom")
		home := r.Turns("tom", cardshome.ActionFilter, "true:")
		require.Contains(r.T, home, "order003")
		require.NotContains(r.T, home, "order001")
		require.NotContains(r.T, home, "order002")
		require.NotContains(r.T, home, "CWEDDING")
	})
}

func TestAGuestsHomeHasNoActions(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Owns("order001", "C1", "maria", commandstest.InStatus(order.StatusReviewing))
		r.Comes("ines")
		home := r.Turns("ines", cardshome.ActionFilter, "true:")
		require.Contains(r.T, home, "Project order001")
		for _, action := range []string{cards.ActionApprove, cards.ActionRevise, cards.ActionMessage, cardshome.ActionNew} {
			require.NotContains(r.T, home, `"`+action+`"`)
		}
	})
}

func TestTheHomeIsThereWhileTheServiceIsNot(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Owns("order001", "C1", "maria", nil)
		r.Service.Set(func(f *commandstest.Service) { f.Down = true })
		require.True(r.T, commandstest.ContainsAll(r.Comes("maria"), "not known right now", "Project order001"))
	})
}
