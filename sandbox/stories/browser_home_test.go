package stories

import (
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/browser"
)

// What waits is judged where it waits: with its picture, and the two things that can be done.
func TestWhatWaitsIsApprovedInTheHome(t *testing.T) {
	t.Parallel()
	s := onPage(t)
	maria := s.sits("maria", "shoots")
	s.orders(maria, "shoots", "At home", 0, 1)
	require.NoError(t, s.Photos.Deliver(s.order().ID))
	maria.Sees("Ready for review: ")

	maria.Press("Darkroom APP…") // something may be new there
	maria.Press("Home")
	maria.Sees("Waiting for you")
	maria.SeesPictures(1, browser.Where{Item: "At home"})
	maria.SeesButton("Request Changes")
	maria.Press("Approve")
	maria.SeesDialog("Approve order")
	maria.SeesPictures(2)
	maria.Press("Approve Order")
	maria.Sees("The order is closed")
	maria.Press("Close")
	maria.SeesNoDialog()
	maria.Sees("Nothing waits for you")
	require.Equal(t, "closed", s.order().Status)
}
