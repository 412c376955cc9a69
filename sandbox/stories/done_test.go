package stories

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Maria asks for one change to each of three photos. In the second round two of them are done, and the third is asked
// for again. Whoever approves the third round sees that it is done.
func TestWhatIsNotDoneIsAskedForAgain(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.shortWaits()
	maria, ben := w.person("maria"), w.person("ben")
	order := w.placeImages(maria, "Three wishes", 3)
	w.deliver(ben, order.ID)
	maria.PressOn("Ready for review", "Request Changes")
	maria.SeesModal("Request changes")
	for n, wish := range []string{"Remove the stain.", "Less yellow.", "Straighten it."} {
		maria.Fill(w.label(n+1), wish)
	}
	maria.Submit()
	maria.Sees("Changes requested")
	maria.CloseModal()

	require.NoError(t, w.Photos.Deliver(order.ID))
	ben.SeesBroadcast("round 2")
	ben.PressOn("round 2", "Request Changes")
	ben.SeesModal("Request changes")
	ben.SeesValue(w.label(1), "again: Remove the stain.")
	ben.SeesValue(w.label(3), "again: Straighten it.")
	ben.Fill(w.label(3), "again: Straighten it.\nTo the left.")
	ben.Check("Done: Remove the stain.")
	ben.SeesValue(w.label(1), "")
	ben.SeesValue(w.label(3), "again: Straighten it.\nTo the left.")
	ben.Check("Done: Less yellow.")
	ben.SeesValue(w.label(2), "")
	ben.Submit()
	ben.Sees("Changes requested")
	ben.CloseModal()
	maria.SeesInThread("Three wishes", "2 of 3 requested changes are ticked done, by Ben.")
	require.Len(t, w.order().Revisions, 2)
	require.Equal(t, []string{"again: Straighten it.", "To the left."}, only(t, w.order().Revisions[1]))

	require.NoError(t, w.Photos.Deliver(order.ID))
	maria.SeesBroadcast("round 3")
	maria.PressOn("round 3", "Approve with feedback")
	maria.SeesModal("Approve order")
	maria.Sees("0 of 2 requested changes are ticked done.")
	maria.CloseModal()
	ben.PressOn("round 3", "Request Changes")
	ben.SeesModal("Request changes")
	ben.SeesValue(w.label(1), "")
	ben.SeesValue(w.label(3), "again: Straighten it.\nagain: To the left.")
	ben.Check("Done: Straighten it.", "Done: Straighten it.")
	ben.SeesValue(w.label(3), "again: To the left.")
	ben.Fill(w.label(3), "")
	ben.Submit()
	ben.Sees("1 of 2 requested changes are ticked done, by @Ben")
	ben.CloseModal()
	require.Len(t, w.order().Revisions, 2, "ticks alone send nothing")

	maria.PressOn("round 3", "Approve with feedback")
	maria.SeesModal("Approve order")
	maria.Sees("1 of 2 requested changes are ticked done, by @Ben")
	maria.Submit()
	maria.Sees("The order is closed")
	maria.CloseModal()
	ben.SeesInThread("Three wishes", "1 of 2 requested changes are ticked done, by Ben.")
	ben.Type("/order history " + w.order().ID)
	ben.Sees("2 of 3 requested changes are ticked done, by @Ben")
	ben.Sees("1 of 2 requested changes are ticked done, by @Ben")
}
