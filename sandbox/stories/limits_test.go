package stories

import (
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/person"
)

// limits sets what one order may cost before it is asked of these approvers.
func limits(who *person.T, credits string, approvers ...string) {
	limit(who, "Credits for one order", credits, approvers...)
}

// monthLimit sets what a month may cost before Olga is asked.
func monthLimit(who *person.T, credits string) { limit(who, "Credits for a month", credits, "@Olga") }

func limit(who *person.T, of, credits string, approvers ...string) {
	who.Goto("#shoots")
	opensSettings(who, "Approval and limits")
	who.Choose("Who approves", approvers...)
	who.Fill(of, credits)
	savesSettings(who, "approve")
}

// asksFirst submits an order of two images that an approver is asked about.
func asksFirst(w *world, who *person.T, project string) {
	who.Goto("#shoots")
	who.Type("/order new " + w.Samples()[0] + " " + w.Samples()[1])
	who.SeesModal("New photo order")
	who.Fill("Instructions", "Brighten the sky.")
	who.Fill("Project name", project)
	who.Submit()
	who.Sees("Your order is not placed yet.")
	who.Sees("Nothing was charged")
	who.CloseModal()
}

// What goes over a channel's limit waits for an approver, in the channel: it is placed once when one of them
// allows it, and stays with who ordered when one declines.
func TestWhatGoesOverALimitIsAskedFirst(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria, ben, olga := w.person("maria"), w.person("ben"), w.person("olga")
	maria.Goto("#shoots")
	opensSettings(maria, "Approval and limits")
	maria.Fill("Credits for one order", "1")
	maria.Submit()
	maria.SeesError("Who approves", "Name an approver")
	maria.CloseModal()
	limits(maria, "1", "@Olga")

	asksFirst(w, maria, "Red hats")
	olga.Goto("#shoots")
	olga.Sees("May this order be placed?")
	olga.Sees("It passes this channel's limit for one order.") // a guest reads it, too
	olga.PressOn("May this order be placed?", "Show Credits")
	olga.SeesEphemeral("It passes the limit of 1 credit for one order.")
	require.Empty(t, w.Photos.Orders())
	maria.PressOn("May this order be placed?", "Allow")
	maria.SeesEphemeral("only @Olga decides about this")
	require.Empty(t, w.Photos.Orders())
	w.app.stop()
	w.startApp() // the question outlives a restart
	olga.PressOn("May this order be placed?", "Allow")
	olga.Sees("Allowed by Olga")
	olga.SeesNoButton("Allow")
	olga.SeesInThread("Red hats", "Placed")
	require.Len(t, w.Photos.Orders(), 1)
	olga.Type("/order history " + w.order().ID)
	olga.Sees("Allowed by Olga")

	asksFirst(w, maria, "Blue hats")
	olga.PressOn("May this order be placed?", "Decline")
	olga.Sees("Declined by Olga")
	olga.SeesNoButton("Decline")
	maria.Goto("@darkroom")
	maria.Sees("@Olga declined your order Blue hats")
	maria.PressOn("declined your order Blue hats", "Open the Form")
	maria.SeesModal("New photo order")
	maria.SeesValue("Project name", "Blue hats")
	maria.CloseModal()
	require.Len(t, w.Photos.Orders(), 1)

	limits(olga, "", "@Olga")
	w.another(ben, "Within")
	require.Len(t, w.Photos.Orders(), 2)
	w.quiet()
}
