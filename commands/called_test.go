package commands_test

import (
	"testing"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/commands/commandstest"
	"darkroom/order"

	"github.com/stretchr/testify/require"
)

// weddings adds three orders to C1, two of them with similar names.
func weddings(r *commandstest.Rig) {
	r.SetUpWorkspace()
	for id, name := range map[string]string{"order1": "Smith wedding", "order002": "Miller wedding", "order003": "2026 Q&A"} {
		r.Owns(id, "C1", "maria", func(o *order.Order) { o.ProjectName, o.Status = name, order.StatusReviewing })
	}
}

func TestAnOrderIsFoundByItsNameWhereAnIDGoes(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		weddings(r)
		for line, name := range map[string]string{
			"show smith wedding":                     "Smith wedding",
			"show Smith":                             "Smith wedding",
			`show "SMITH  wedding"`:                  "Smith wedding",
			"show smith\u200b wedding":               "Smith wedding", // copied from the screen
			"show “miller”":                          "Miller wedding",
			"show order002":                          "Miller wedding",
			"show 2026 q&amp;a":                      "2026 Q&amp;A",
			`approve "smith" lovely`:                 "Smith wedding",
			"approve miller wedding":                 "Miller wedding",
			`revise "smith wedding"`:                 "Smith wedding",
			`message "smith wedding" Softer, please`: "Smith wedding",
		} {
			require.Contains(r.T, r.Says("maria", "C1", line), name, line)
		}
		require.Equal(r.T, []string{"Softer, please"}, r.Conversation())
	})
}

func TestANameOfSeveralOrdersIsAskedAbout(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		weddings(r)
		asked := r.Says("maria", "C1", `message "wedding" Softer, please`)
		require.Contains(r.T, asked, "2 orders")
		require.Contains(r.T, asked, "Smith wedding")
		require.Contains(r.T, asked, "Miller wedding")
		require.NotContains(r.T, asked, "2026", "only those of that name")
		require.Contains(r.T, asked, "Softer, please", "kept")
		require.Empty(r.T, r.Conversation())
		opened := r.Does(bot.Request{Name: cards.ActionPick + "show", Value: "order002:r0"})
		require.Contains(r.T, opened, "Miller wedding")
	})
}

func TestWordsReachNoOrderThatWasNotNamed(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		r.SetUpWorkspace()
		r.Owns("order1", "C1", "maria", func(o *order.Order) { o.ProjectName = "Smith wedding" })
		said := r.Says("maria", "C1", `message "smyth weding" Softer, please`)
		require.Contains(r.T, said, "There is no order “smyth weding”")
		require.Contains(r.T, said, "Softer, please", "given back")
		require.Empty(r.T, r.Conversation(), "although there is only one order")
	})
}

func TestAHiddenNameReadsLikeOneThatDoesNotExist(t *testing.T) {
	commandstest.Bubble(t, func(r *commandstest.Rig) {
		weddings(r)
		r.Owns("order009", "CWEDDING", "maria", func(o *order.Order) { o.ProjectName = "Secret party" })
		require.Contains(r.T, r.Says("tom", "C1", "show secret party"), "There is no order “secret party”")
		require.Contains(r.T, r.Says("tom", "C1", "show secret feast"), "There is no order “secret feast”.")
		require.Contains(r.T, r.Says("tom", "D1", `show "secret party"`), "There is no order “secret party”")
		require.Contains(r.T, r.Says("maria", "CWEDDING", "show secret party"), "Secret party")
	})
}
