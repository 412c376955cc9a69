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

// briefed gives a channel an order that was placed here with a brief.
func briefed(r *commandstest.Rig, id, channel string) store.Tracked {
	r.T.Helper()
	o := order.Order{ID: id, ProjectName: "Smith wedding [REF" + id + "]", CustomerID: "42", Status: order.StatusClosed, OrderedAt: time.Now().Add(-9 * 24 * time.Hour)}
	t, err := r.Store.Changes.AddOrder(r.T.Context(), store.NewOrder{
		ID: id, Reference: "REF" + id, Owner: store.Owner{Team: "T1", Channel: channel, Requester: "maria"}, Order: o,
		Brief: &order.Brief{
			By: "maria", Preset: "Beach", Instructions: []string{"Brighten.", "Keep *the* sand & <sea>."}, Service: order.ServiceExtensive, CustomerID: "0042",
			Sources: []order.Source{
				{Name: "beach.jpg"},
				{Name: "cake.jpg", URL: "https://example.com/cake.jpg", Instruction: "Remove the knife."},
				{Name: "mood.png", Service: order.ServiceReference},
			},
		},
	})
	require.NoError(r.T, err)
	return t
}

func TestOrderAgainOpensTheFormFilledInWithoutItsPhotos(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		briefed(r, "order1", "C1")
		r.Says("maria", "C1", "again REForder1 https://example.com/new.jpg <https://example.com/two.jpg|two>")
		form := r.Sheet()
		shown := commandstest.Readable(form.Shown())
		require.Contains(r.T, shown, "Filled in from *Smith wedding [REForder1]*. Photos are not copied")
		require.Contains(r.T, shown, "2 · cake.jpg: Remove the knife.")
		require.Contains(r.T, shown, "3 · mood.png, reference")
		draft := r.Draft()
		require.Empty(r.T, draft.Brief().Preset, "the person started from an order")
		require.Equal(r.T, []string{"https://example.com/new.jpg", "https://example.com/two.jpg"}, draft.URLs)
		require.Empty(r.T, draft.Each)
		require.Empty(r.T, form.Submits())
		require.Contains(r.T, form.Shown(), "Order placed")
		placed := ordered(r)
		require.Equal(r.T, []string{"Brighten.", "Keep *the* sand & <sea>."}, placed.Instructions)
		require.Equal(r.T, "0042", placed.CustomerID)
		require.Equal(r.T, order.ServiceExtensive, placed.Images[0].Service)
		require.Regexp(r.T, `^Smith wedding \[[A-Z0-9]{6}\]$`, placed.ProjectName)
		require.NotContains(r.T, placed.ProjectName, "REForder1", "a reference of its own")
	})
}

func TestOrderAgainStandsInTheCardsMenuAndAsksWhich(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		first := briefed(r, "order1", "C1")
		r.Does(bot.Request{Name: cards.ActionMenu, Value: "again " + cards.Value(first.ID, 0), User: "tom"})
		require.Contains(r.T, r.Screen.Modal(), "Brighten.", "whoever sees it may order the same")
		require.Equal(r.T, "tom", r.Draft().User)
		r.Says("maria", "C1", "again")
		require.Contains(r.T, r.Screen.Modal(), "Brighten.", "there is only one")
		briefed(r, "order2", "C1")
		shown := r.Says("maria", "C1", "again https://example.com/new.jpg")
		require.Contains(r.T, shown, "Which order?")
		picked := r.Does(bot.Request{
			Name: cards.ActionPick + "again", Value: cards.Value("order2", 0), User: "maria",
			BlockID: commandstest.CutOut(r.Screen.LastMessage(), `"block_id":"`, `"`),
		})
		require.Contains(r.T, picked, "Brighten.")
		require.Contains(r.T, picked, "https://example.com/new.jpg", "the words are kept meanwhile")
	})
}

func TestOrderAgainOfAnOrderWithoutABriefSaysSo(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Owns("order001", "C1", "maria", func(o *order.Order) { o.CustomerID = "7" })
		r.Says("maria", "C1", "again order001")
		shown := commandstest.Readable(r.Screen.Modal())
		require.Contains(r.T, shown, "I have no record of this order's instructions")
		draft := r.Draft()
		require.Equal(r.T, []string{"Project order001", "7"}, []string{draft.ProjectName, draft.CustomerID})
		require.Empty(r.T, draft.Instructions)
	})
}

func TestOrderAgainTakesNoNameThatNobodyChose(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Owns("order001", "C1", "maria", func(o *order.Order) { o.ProjectName = "Golden Lake" })
		r.Says("maria", "C1", "again order001")
		require.Empty(r.T, r.Draft().ProjectName)
	})
}

func TestOrderAgainIsForWhoSeesTheOrderAndMayOrder(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		briefed(r, "order1", "CWEDDING")
		require.Contains(r.T, commandstest.Readable(r.Says("tom", "C1", "again order1")), "There is no order “order1”")
		require.NotContains(r.T, r.Screen.Modal(), "Brighten.")
		require.Contains(r.T, commandstest.Readable(r.Says("ines", "C1", "again order1")), "may look at orders but not place them")
		r.Says("maria", "C1", "again order1")
		require.Contains(r.T, r.Screen.Modal(), "Brighten.", "from another channel, by who is in both")
		require.Equal(r.T, "C1", r.Draft().Channel)
	})
}

// Slack delivers the click again after the person has typed.
func TestOrderAgainDoesNotPutBackWhatWasChanged(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		briefed(r, "order1", "C1")
		r.Says("maria", "C1", "again order1")
		form := r.Sheet()
		form.Types("Instructions", "Only crop.")
		r.Clicks--
		r.Says("maria", "C1", "again order1")
		require.Equal(r.T, []string{"Only crop."}, r.Draft().Instructions)
	})
}
