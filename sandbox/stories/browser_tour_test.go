package stories

import (
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/browser"
)

func TestTheFirstLookSaysWhatThisIsAndLeadsToAnOrder(t *testing.T) {
	t.Parallel()
	inCheck(t)
	s := onPage(t)
	require.NoError(t, s.SharePhotos())
	tour := browser.Where{Region: "Tour"}
	for _, look := range []browser.Look{{}, {Narrow: true}, {Phone: true}} {
		x := s.chromium.Open(t, s.Workspace.URL(), browser.Options{Phone: look.Phone, Patience: glance})
		x.Turn(look)
		x.Sees("a team orders photo edits by human editors", tour)
		x.Sees("1 of 8", tour)
		x.SeesButton("Order these photos", tour)
		x.SeesPictures(3, browser.Where{Item: "Brighten these"})
		x.DoesNotSee("Order while the service is off")
	}

	maria := s.sits("maria", "shoots")
	maria.Press("Hide the tour")
	maria.DoesNotSee("1 of 8")
	maria.Reload()
	maria.SeesButton("Tour")
	maria.DoesNotSee("1 of 8")
	maria.Press("Tour")
	maria.Press("Order these photos", tour)
	maria.SeesDialog("New photo order")
	maria.SeesValue("Instructions", "Brighten these for the summer catalogue, please, and straighten the house.")
	maria.Sees("3 photos in this order")
	for _, look := range []browser.Look{{}, {Narrow: true}, {Phone: true}} {
		maria.Turn(look)
		maria.Settle()
		maria.SeesUncovered("Tour")
	}
	maria.Turn(browser.Look{})
	maria.Press("Close")
	maria.SeesNoDialog()
	maria.Sees("1 of 8", tour)
	maria.Press("Order these photos", tour)
	maria.SeesDialog("New photo order")
	maria.Sees("3 photos in this order")
	maria.Fill("Instructions", "As Ben says.") // so that his words are his message's alone
	maria.Press("Place Order")
	maria.Sees("Order placed")
	maria.Press("Close")
	maria.SeesNoDialog()
	maria.Sees("2 of 8", tour)
	require.Len(t, s.order().Images, 3)

	maria.Sees("1 reply") // the card is there, and nothing moves any more
	maria.PressOn("Brighten these", "Reply in thread")
	maria.Sees("No replies yet", thread)
	for _, look := range []browser.Look{{}, {Narrow: true}, {Phone: true}} {
		maria.Turn(look)
		maria.Settle()
		maria.SeesUncovered("Tour")
	}
}
