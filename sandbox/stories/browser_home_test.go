package stories

import (
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/browser"
)

// What waits is on top of the Home with its picture, one press away from its review.
func TestTheHomeLeadsToWhatWaits(t *testing.T) {
	t.Parallel()
	s := onPage(t)
	maria := s.sits("maria", "shoots")
	s.orders(maria, "shoots", "At home", 0, 1)
	require.NoError(t, s.Photos.Deliver(s.order().ID))
	maria.Sees("Ready for review: ")

	maria.Press("Darkroom APP…") // something may be new there
	maria.Press("Home")
	maria.Sees("Waiting for you")
	maria.Sees("2 photos · in #shoots")
	maria.SeesPictures(1)
	maria.Press("Review")
	maria.SeesDialog("Order details")
	maria.SeesPictures(2)
	maria.Press("Approve")
	maria.SeesDialog("Approve order")
	maria.Press("Approve Order")
	maria.Sees("The order is closed")
	maria.Press("Close")
	maria.SeesDialog("Order details") // which is behind it
	maria.Press("Close")
	maria.SeesNoDialog()
	maria.Sees("Nothing waits for you")
	require.Equal(t, "closed", s.order().Status)
}

// On a phone the list of channels is a place of its own. The page opens in a channel, and Back leads to the list.
func TestBackLeadsToTheListOfChannelsOnAPhone(t *testing.T) {
	t.Parallel()
	inCheck(t)
	s := onPage(t)
	maria := s.chromium.Open(t, s.Workspace.URL(), browser.Options{Patience: glance, Phone: true})
	maria.SeesField("Message #shoots")
	maria.Press("Back")
	maria.SeesButton("Darkroom APP")
	maria.Press("studio, private")
	maria.SeesField("Message #studio")
	maria.Press("Back")
	maria.Press("Darkroom APP")
	maria.Sees("Order Photos")
}
