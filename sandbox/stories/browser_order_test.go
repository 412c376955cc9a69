package stories

import (
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/browser"
	"darkroom/sandbox/photos"
)

var thread = browser.Where{Region: "Thread"}

// types writes a line to the channel and sends it.
func types(x *browser.T, channel, line string) {
	x.Fill("Message #"+channel, line)
	x.Keys("\r")
}

// orders is how somebody orders photos of theirs by clicking.
func (s *stage) orders(x *browser.T, channel, project string, photo ...int) photos.Order {
	s.t.Helper()
	types(x, channel, "/order new")
	x.SeesDialog("New photo order")
	x.Upload("Add files", s.onDisk(photo...)...)
	x.SeesPictures(len(photo))
	x.Fill("Instructions", "Brighten the sky.")
	x.Fill("Project name", project)
	x.Press("Place Order")
	x.Sees("Order placed")
	x.Press("Close")
	x.SeesNoDialog()
	x.Sees("1 reply", browser.Where{Item: project})
	all := s.Photos.Orders()
	return all[len(all)-1]
}

func TestAWholeOrderByClickingWhatOneSees(t *testing.T) {
	t.Parallel()
	s := onPage(t)
	maria := s.sits("maria", "shoots")
	laptop := s.onDisk(0, 1)

	types(maria, "shoots", "/order new")
	maria.SeesDialog("New photo order")
	maria.Upload("Add files", laptop[0])
	maria.Sees("beach.jpg")
	maria.Drop("or drop them here", laptop[1])
	maria.Sees("house.jpg")
	maria.SeesPictures(2)
	maria.Fill("Instructions", "Brighten the sky.\nKeep the sand as it is.")
	maria.Fill("Project name", "Summer catalogue")
	maria.Check("Set service type and instructions for each photo")
	maria.Press("Next")
	maria.Sees("2 photos")
	require.Empty(t, s.Photos.Orders())
	maria.Choose("1 · beach.jpg: Service type", "Extensive")
	maria.Fill("2 · house.jpg: Instruction", "Straighten the walls.")
	maria.Press("Place Order")
	maria.Sees("Order placed")
	maria.Press("Close")
	maria.SeesNoDialog()
	order := s.order()
	require.Equal(t, []string{"Brighten the sky.", "Keep the sand as it is."}, order.Instructions)
	require.Equal(t, "extensive", order.Images[0].Service)
	require.Equal(t, "Straighten the walls.", order.Images[1].Instruction)

	require.NoError(t, s.Photos.Deliver(order.ID))
	maria.Sees("Ready for review")
	maria.SeesPictures(2, browser.Where{Item: "Ready for review"})
	maria.PressOn("Ready for review", "Request Changes")
	maria.SeesDialog("Request changes")
	maria.SeesPictures(2)
	maria.Fill("1 · beach.jpg", "Less yellow.")
	maria.Press("Request Changes")
	maria.Sees("Changes requested")
	maria.Press("Close")
	maria.SeesNoDialog()
	require.Len(t, s.order().Revisions, 1)
	require.Equal(t, []string{"Less yellow."}, only(t, s.order().Revisions[0]))

	require.NoError(t, s.Photos.Deliver(order.ID))
	second := "], round 2"                             // in its own title; the first review shows the card's "round 2" above it
	maria.SeesPictures(1, browser.Where{Item: second}) // the sheet
	maria.PressOn(second, "More actions for…")
	maria.Press("Approve with feedback")
	maria.SeesDialog("Approve order")
	maria.Fill("Feedback", "Lovely light.")
	maria.Press("Approve Order")
	maria.Sees("The order is closed")
	maria.Press("Close")
	maria.SeesNoDialog()
	maria.SeesNoButton("Approve")

	order = s.order()
	require.Equal(t, "closed", order.Status)
	require.Equal(t, []string{"Lovely light."}, order.Feedback)
	maria.PressOn("Summer catalogue", "Reply in thread")
	for _, event := range []string{"Placed", "Changes requested by", "Less yellow.", "Approved by", "Lovely light."} {
		maria.Sees(event, thread)
	}
}

func TestAnOrderIsCanceledFromItsCardsMenu(t *testing.T) {
	t.Parallel()
	inCheck(t)
	s := onPage(t)
	maria := s.sits("maria", "shoots")
	s.orders(maria, "shoots", "Wrong ones", 2)
	maria.PressOn("Wrong ones", "More: Cancel order")
	maria.Press("Cancel order")
	maria.Sees("promises to take it back until")
	maria.Press("Cancel Order")
	maria.SeesNoDialog()
	maria.Sees("Canceled", browser.Where{Item: "Wrong ones"})
	require.Equal(t, "canceled", s.order().Status)
}
