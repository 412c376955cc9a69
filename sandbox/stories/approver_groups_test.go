package stories

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A channel names a user group: whoever is in it when they approve may, and it is called when images are
// ready. Who left it is in the table of who decides: TestOnlyApproversApproveWhicheverWayTheyTry.
func TestWhoIsInANamedGroupApproves(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria, ben, olga := w.person("maria"), w.person("ben"), w.person("olga")
	names(olga, "Groups that approve", "Photo leads (@photo-leads)")
	first := w.place(maria, "Red hats")
	w.deliver(maria, first.ID)
	maria.SeesInThread("Red hats", "@photo-leads")
	maria.PressOn("Ready for review: Red hats", "Approve with feedback")
	maria.SeesModal("Approve order")
	maria.Sees("only @photo-leads approves")
	maria.CloseModal()
	require.NoError(t, w.Photos.Deliver(w.another(maria, "Blue hats").ID))
	maria.SeesInThread("Blue hats", "Ready for review")
	w.approve(ben, "Red hats")
	w.approve(olga, "Blue hats")
}
