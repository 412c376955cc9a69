package stories

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBadInputIsNamedUnderItsField(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria := w.person("maria")
	maria.Type("/order new")
	maria.SeesModal("New photo order")
	maria.Fill("Instructions", "Brighten it.")
	maria.Press("Add web addresses")
	maria.Fill("Image URLs", "ftp://example.com/a.jpg")
	maria.Press("Customer, channel")
	maria.Fill("Customer ID", "12345")
	maria.SeesValue("Image URLs", "ftp://example.com/a.jpg")
	maria.Submit()
	maria.SeesError("Image URLs", "ftp://example.com/a.jpg")
	maria.SeesValue("Instructions", "Brighten it.")
	maria.Fill("Image URLs", w.Samples()[0]+"\n"+w.Samples()[0])
	maria.Submit()
	maria.SeesError("Image URLs", "Listed more than once")
	require.Empty(t, w.Photos.Orders())

	maria.Fill("Image URLs", w.Samples()[0])
	maria.Submit()
	maria.Sees("Order placed")
	require.Equal(t, "12345", w.order().Customer)
}

func TestTheServicesReasonsAreShownWithEverythingTyped(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria := w.person("maria")
	w.fillOrder(maria, "Broken link")
	maria.Fill("Image URLs", w.Samples()[0]+"\n"+w.Samples()[1]+".missing")
	maria.Submit()
	maria.Sees("The photo service could not open 2 · house.jpg.missing")
	maria.Sees("one file is not accessible")
	maria.SeesValue("Project name", "Broken link")
	maria.Fill("Image URLs", w.Samples()[0])
	maria.Submit()
	maria.Sees("Order placed")
	w.order()
}

func TestAnOrderFromElsewhereAsksWhereToPost(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria := w.person("maria")
	maria.Goto("@darkroom")
	maria.Shortcut("New photo order")
	maria.SeesModal("New photo order")
	maria.Choose("Post to", "#weddings")
	maria.Press("Add web addresses")
	maria.Fill("Image URLs", w.Samples()[0])
	maria.Fill("Instructions", "Warm it up.")
	maria.Fill("Project name", "Wedding")
	maria.Submit()
	maria.Sees("Order placed") // the app has joined the public channel
	maria.CloseModal()
	maria.Goto("#weddings")
	maria.SeesInThread("Wedding", "Placed")
}

func TestNoCreditIsSpentOnAnOrderNobodyWouldSee(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria := w.person("maria")
	maria.Goto("#studio") // private, and the app was not invited
	maria.Type("/order " + w.Samples()[0])
	maria.SeesModal("New photo order")
	maria.Fill("Instructions", "Warm it up.")
	maria.Submit()
	maria.Sees("invite")
	require.Empty(t, w.Photos.Orders())
	w.Workspace.Invite("#studio", "darkroom")
	maria.Submit()
	maria.Sees("Order placed")
}

func TestPrivateOrdersDoNotExistForOutsiders(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.Workspace.Invite("#studio", "darkroom")
	maria, olga := w.person("maria"), w.person("olga")
	maria.Goto("#studio")
	w.fillOrder(maria, "Secret")
	maria.Submit()
	maria.Sees("Order placed")
	id := w.order().ID

	olga.Type("/order show " + id)
	olga.SeesEphemeral(id)
	hidden := olga.Screen()
	require.NotContains(t, hidden, "Secret")
	olga.Type("/order show " + strings.Repeat("9", len(id)))
	olga.SeesEphemeral(strings.Repeat("9", len(id)))
}

func TestAskingAround(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria := w.person("maria")
	maria.Type("/order help")
	maria.SeesEphemeral("/order approve")
	maria.Type("/order aprove")
	maria.SeesEphemeral("approve")
	maria.Type("/order balance")
	maria.SeesEphemeral("120")
	order := w.place(maria, "Shown")
	maria.Type("/order show")
	maria.SeesEphemeral("Shown")
	maria.Type("/order approve " + order.ID)
	maria.SeesEphemeral("editing")
}
