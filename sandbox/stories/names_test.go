package stories

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Orders are called what people call them: in lists by words and phrases, and by a name wherever an ID goes.
// What the names are made of breaks nothing.
func TestOrdersAreFoundByTheWordsThatPeopleSee(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria := w.person("maria")
	sale := w.another(maria, "Autumn *sale* _now_")
	w.another(maria, "Sale of autumn hats")
	w.another(maria, ":tada: `50% off` ~today~")
	maria.Sees("Autumn *sale* _now_")
	maria.Sees(":tada: `50% off` ~today~")

	for line, fits := range map[string][]string{
		"autumn sale":              {"Autumn *sale*", "Sale of autumn hats"},
		`"autumn *sale*"`:          {"Autumn *sale*"},
		"“autumn *sale*”":          {"Autumn *sale*"}, // as a phone writes them
		"being edited hats":        {"Sale of autumn hats"},
		`being edited mine "50% "`: {":tada:"},
	} {
		maria.Type("/order list " + line)
		for _, name := range fits {
			maria.SeesEphemeral(name)
		}
	}
	maria.Type(`/order list waiting "autumn *sale*"`)
	maria.SeesEphemeral("No orders match")

	maria.Type("/order find autumn sale")
	maria.SeesEphemeral("Orders in your channels")
	maria.SeesEphemeral("Sale of autumn hats")

	require.NoError(t, w.Photos.Deliver(sale.ID))
	maria.SeesBroadcast("Ready for review")
	maria.Type("/order list ready for review")
	maria.SeesEphemeral("1 order")
	maria.SeesButton("Approve")
	maria.Type(`/order approve "Autumn *sale* _now_" Lovely.`)
	maria.SeesModal("Approve order")
	maria.SeesValue("Feedback", "Lovely.")
	maria.Submit()
	maria.Sees("The order is closed")
	maria.CloseModal()
	approved, _ := w.Photos.Order(sale.ID)
	require.Equal(t, "closed", approved.Status)
}
