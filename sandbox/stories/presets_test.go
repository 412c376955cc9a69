package stories

import (
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/photos"
)

// newest waits until the service has so many orders, and returns the newest.
func (w *world) newest(orders int) photos.Order {
	w.t.Helper()
	require.Eventually(w.t, func() bool { return len(w.Photos.Orders()) == orders }, patience, tick)
	return w.Photos.Orders()[orders-1]
}

// What a channel asks for again and again is saved once, fills the form for whoever orders there, and is
// its house style when an operator says so.
func TestWhatIsAskedForAgainAndAgainFillsTheForm(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria, ben, olga := w.person("maria"), w.person("ben"), w.person("olga")
	maria.Goto("#shoots")
	beach, house := w.Samples()[0], w.Samples()[1]
	maria.Type("/order new " + beach)
	maria.SeesModal("New photo order")
	maria.DoesNotSee("Preset")
	maria.Fill("Instructions", "Keep the sand.\nNo <filters> & *no* frames.")
	maria.Fill("Customer ID", "0042")
	maria.Choose("Service type", "Extensive")
	maria.Submit()
	maria.Sees("Order placed")
	maria.Press("Save as Preset")
	maria.SeesModal("Save as preset")
	maria.Sees("Keep the sand.")
	maria.Fill("Name", "Beach")
	maria.Submit()
	maria.Sees("Saved as Beach")
	maria.CloseModal()

	ben.Goto("#shoots")
	ben.Type("/order new " + house)
	ben.SeesModal("New photo order")
	ben.Fill("Instructions", "Something else.")
	ben.Choose("Preset", "Beach")
	ben.SeesValue("Instructions", "Keep the sand.\nNo <filters> & *no* frames.")
	ben.SeesValue("Customer ID", "0042")
	ben.SeesValue("Photo links", house)
	ben.Choose("Preset", "None")
	ben.SeesValue("Instructions", "Something else.")
	ben.Choose("Preset", "Beach")
	ben.SeesValue("Instructions", "Keep the sand.\nNo <filters> & *no* frames.")
	ben.Submit()
	ben.Sees("Order placed")
	ben.CloseModal()
	asked := w.newest(2)
	require.Equal(t, []string{"Keep the sand.", "No <filters> & *no* frames."}, asked.Instructions)
	require.Equal(t, "0042", asked.Customer)
	require.Equal(t, house, asked.Images[0].URL)
	require.Equal(t, "extensive", asked.Images[0].Service)

	ben.Type("/order new " + beach)
	ben.SeesModal("New photo order")
	ben.Choose("Preset", "Same as last order")
	ben.SeesValue("Customer ID", "0042")
	ben.CloseModal()

	olga.Goto("#shoots")
	olga.Type("/order presets")
	olga.SeesModal("Presets")
	olga.Press("Pin as house style")
	olga.Press("Change")
	olga.Sees("Beach is a house style now")
	olga.CloseModal()
	maria.Type("/order new")
	maria.SeesModal("New photo order")
	maria.Sees("Filled in with this channel's house style")
	maria.SeesValue("Instructions", "Keep the sand.\nNo <filters> & *no* frames.")
	maria.Fill("Photo links", house)
	maria.Submit()
	maria.Sees("Order placed")
	maria.CloseModal()
	require.Equal(t, asked.Instructions, w.newest(3).Instructions)
	require.Equal(t, "0042", w.newest(3).Customer)

	maria.Type("/order presets")
	maria.SeesModal("Presets")
	maria.Sees("House style")
	maria.DoesNotSee("Remove")
	olga.Type("/order presets")
	olga.SeesModal("Presets")
	olga.Press("Remove")
	olga.Press("Change")
	olga.Sees("Beach is removed")
	w.quiet()
}
