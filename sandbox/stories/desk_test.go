package stories

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/person"
	"darkroom/sandbox/photos"
)

// another places one more order and returns it.
func (w *world) another(who *person.T, project string) photos.Order {
	w.t.Helper()
	w.fillOrder(who, project)
	who.Submit()
	who.Sees("Order placed")
	who.CloseModal()
	who.SeesInThread(project, "Placed")
	orders := w.Photos.Orders()
	return orders[len(orders)-1]
}

func TestAskingForOrders(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria, ben, olga := w.person("maria"), w.person("ben"), w.person("olga")
	first := w.another(maria, "Silver rings")
	w.another(ben, "Golden rings")
	ben.PressOn("Golden rings", "Show Details")
	ben.SeesModal("Order details")
	ben.Sees("History")
	ben.CloseModal()
	w.deliver(maria, first.ID)

	maria.Type("/order list")
	maria.SeesEphemeral("2 orders")
	maria.Type("/order list ready rings")
	maria.SeesEphemeral("Silver rings")
	ben.Type("/order list mine")
	ben.SeesEphemeral("Golden rings")
	require.NotContains(t, w.lastAnswer("ben"), "Silver rings")
	maria.Type("/order list bracelets")
	maria.SeesEphemeral("No orders match")

	olga.Type("/order list account rings")
	olga.SeesEphemeral("6 characters")
	olga.Type("/order list account Silver")
	olga.SeesEphemeral("Silver rings")
	maria.Type("/order list account")
	maria.SeesEphemeral("Only operators")

	maria.Type("/order show")
	maria.SeesEphemeral("Which order?")
	maria.Choose("Type part of its name", "Silver")
	maria.SeesModal("Order details")
	maria.Sees("Ready for review")
	maria.CloseModal()

	maria.Type("/order aprove")
	maria.SeesEphemeral("/order approve")
	maria.Type("/order help revise")
	maria.SeesEphemeral("/order revise")
}

// answerTo is what Olga alone is told when she types the line.
func (w *world) answerTo(olga *person.T, line string) string {
	w.t.Helper()
	before := len(w.Workspace.Ephemerals("olga"))
	olga.Type(line)
	require.Eventually(w.t, func() bool { return len(w.Workspace.Ephemerals("olga")) > before }, patience, tick, line)
	return w.lastAnswer("olga")
}

// lastAnswer is what only this person was told last.
func (w *world) lastAnswer(name string) string {
	w.t.Helper()
	told := w.Workspace.Ephemerals(name)
	require.NotEmpty(w.t, told)
	return told[len(told)-1].Text
}

func TestAnOrderMadeElsewhereIsTrackedMovedAndLeft(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.Workspace.Invite("#weddings", "olga")
	maria, olga := w.person("maria"), w.person("olga")
	order := w.place(maria, "Elsewhere")
	maria.Type("/order untrack " + order.ID)
	maria.SeesEphemeral("Only operators")
	olga.Type("/order untrack " + order.ID)
	olga.SeesEphemeral("no longer tracks")
	maria.SeesInThread("Elsewhere", "Untracked by Olga")
	maria.SeesNoButton("Message the Editor")
	maria.Type("/order show " + order.ID)
	maria.SeesEphemeral("There is no order")

	olga.Type("/order list account")
	olga.PressOn("Elsewhere", "Track in This Channel")
	maria.SeesInThread("Elsewhere", "Tracked by Olga")
	maria.SeesButton("Cancel Order")
	olga.Type("/order untrack " + order.ID)
	maria.SeesNoButton("Cancel Order")
	olga.Type("/order track " + order.ID)
	maria.SeesButton("Cancel Order")
	olga.Type("/order move " + order.ID + " <#C0WEDDINGS|weddings>")
	olga.SeesEphemeral("Moved")
	maria.Goto("#weddings")
	maria.SeesInThread("Elsewhere", "Moved by Olga")
	require.NoError(t, w.Photos.Deliver(order.ID))
	maria.SeesBroadcast("Ready for review")
	maria.Goto("#shoots")
	maria.Sees("This channel no longer tracks the order")
	maria.SeesNoButton("Approve")
	maria.DoesNotSee("#weddings")
}

func TestAnHiddenOrderAndNoneReadTheSame(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.Workspace.Invite("#studio", "darkroom")
	maria, olga := w.person("maria"), w.person("olga")
	maria.Goto("#studio")
	hidden := w.another(maria, "Secret")
	none := strings.Repeat("9", len(hidden.ID))
	olga.Goto("#shoots")
	for _, verb := range []string{"show ID", "message ID hello there", "reference ID https://example.com/a.jpg", "untrack ID", "move ID <#C0WEDDINGS|weddings>"} {
		of := w.answerTo(olga, "/order "+strings.ReplaceAll(verb, "ID", hidden.ID))
		absent := w.answerTo(olga, "/order "+strings.ReplaceAll(verb, "ID", none))
		require.Equal(t, strings.ReplaceAll(absent, none, hidden.ID), of, verb)
	}
	for _, verb := range []string{"approve", "revise", "cancel"} {
		olga.Type("/order " + verb + " " + hidden.ID)
		olga.Sees("There is no order “" + hidden.ID)
		olga.CloseModal()
	}
	olga.Type("/order list")
	require.NotContains(t, olga.Screen(), "Secret")
	olga.OpenHome()
	olga.Choose("Which orders", "All my channels")
	olga.SeesHome("Nothing waits for a review")
	require.NotContains(t, olga.Screen(), "Secret")
}

func TestGuestsLookAndDoNotTouch(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria, ines, tom := w.person("maria"), w.person("ines"), w.person("tom")
	order := w.place(maria, "Only looking")
	w.deliver(maria, order.ID)
	for _, guest := range []*person.T{ines, tom} {
		guest.PressOn("Ready for review", "Approve")
		guest.Press("Approve")
		guest.SeesDM("may look at orders but not change them")
		guest.Type("/order show " + order.ID)
		guest.SeesEphemeral("History")
		guest.Type("/order message " + order.ID + " hello")
		guest.SeesDM("may look at orders but not")
	}
	require.Empty(t, w.said())
	require.Zero(t, w.order().Approvals)
}
