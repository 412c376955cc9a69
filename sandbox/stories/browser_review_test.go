package stories

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/browser"
)

// ordersAddresses is how somebody orders so many images by their addresses.
func (s *stage) ordersAddresses(x *browser.T, project string, n int) {
	s.t.Helper()
	var addresses []string
	for i := range n {
		addresses = append(addresses, fmt.Sprintf("%s?shot=%d", s.Samples()[i%3], i+1))
	}
	s.ordersTheseAddresses(x, project, addresses)
}

func (s *stage) ordersTheseAddresses(x *browser.T, project string, addresses []string) {
	s.t.Helper()
	types(x, "shoots", "/order new")
	x.SeesDialog("New photo order")
	x.Fill("Photo links", strings.Join(addresses, "\n"))
	x.Fill("Instructions", "Brighten the sky.")
	x.Fill("Project name", project)
	x.Press("Place Order")
	x.Sees("Order placed")
	x.Press("Close")
	x.SeesNoDialog()
	x.Sees("1 reply", browser.Where{Item: project})
}

// Two of twelve are chosen by what they look like, and in the next round only those two are to be judged.
func TestTwoOfTwelveAreChosenByPictureAndJudgedAlone(t *testing.T) {
	t.Parallel()
	s := onPage(t)
	maria := s.sits("maria", "shoots")
	s.ordersAddresses(maria, "A dozen", 12)
	require.NoError(t, s.Photos.Deliver(s.order().ID))
	maria.Sees("12 edited photos")
	maria.SeesPictures(12, browser.Where{Item: "12 edited photos"})

	maria.PressOn("12 edited photos", "Request Changes")
	maria.SeesDialog("Request changes")
	maria.SeesPictures(12)
	first, ninth := s.label(1), s.label(9)
	maria.Press("Add changes: " + first)
	maria.SeesField(first)
	maria.Press("Add changes: " + ninth)
	maria.SeesField(ninth)
	maria.Fill(first, "Less yellow.")
	maria.Fill(ninth, "Straighten it.")
	maria.Press("Request Changes")
	maria.Sees("Changes requested: A dozen")
	maria.Press("Close")
	maria.SeesNoDialog()
	require.Len(t, s.order().Revisions[0], 2)

	require.NoError(t, s.Photos.Deliver(s.order().ID))
	round := browser.Where{Item: "round 2"}
	maria.SeesPictures(1, round) // the sheet of both, before and after: a press while a message is edited is lost
	maria.Sees("Less yellow.", round)
	maria.Sees("The other 10 are as in round 1.", round)
	maria.Press("See All 12", round)
	maria.SeesDialog("Order details")
	maria.SeesPictures(12)
	maria.Press("Close")
	maria.SeesNoDialog()
	maria.PressOn("round 2", "Approve")
	maria.Sees("This closes the order.")
	maria.Press("Approve")
	maria.SeesNoDialog()
	maria.Sees("✅ Approved by Maria · round 2")
	maria.SeesButton("Show Final Photos")
	maria.SeesNoButton("Approve")
	maria.SeesNoButton("Request Changes")
}

// A picture of one image that is not to be had costs that picture and nothing else.
func TestAPictureThatIsNotToBeHadCostsOnlyItself(t *testing.T) {
	t.Parallel()
	inCheck(t)
	s := onPage(t)
	maria := s.sits("maria", "shoots")
	s.orders(maria, "shoots", "One is missing", 0, 1, 2)
	s.Photos.LosePreviews("house.jpg")
	require.NoError(t, s.Photos.Deliver(s.order().ID))
	review := browser.Where{Item: "3 edited photos"}
	maria.Sees("3 edited photos")
	maria.SeesPictures(2, review)
	maria.Sees("2 · house.jpg", review)
	maria.PressOn("3 edited photos", "Request Changes")
	maria.SeesDialog("Request changes")
	maria.SeesPictures(2)
	maria.Fill("2 · house.jpg", "Straighten it.")
	maria.Press("Request Changes")
	maria.Sees("Changes requested: One is missing")
	require.Len(t, s.order().Revisions, 1)
}

// The same order again, for other photos, from the card's menu.
func TestTheSameIsOrderedAgainFromTheCard(t *testing.T) {
	t.Parallel()
	inCheck(t)
	s := onPage(t)
	maria := s.sits("maria", "shoots")
	s.orders(maria, "shoots", "Autumn *sale*", 0, 1)
	maria.PressOn("Autumn *sale*", "More actions for…")
	maria.Press("Order again")
	maria.SeesDialog("New photo order")
	maria.Sees("Photos are not copied.")
	maria.SeesValue("Instructions", "Brighten the sky.")
	maria.SeesValue("Project name", "Autumn *sale*")
	maria.Upload("Add files", s.onDisk(2)...)
	maria.SeesPictures(1)
	maria.Press("Place Order")
	maria.Sees("Order placed")
	all := s.Photos.Orders()
	require.Len(t, all, 2)
	require.Equal(t, all[0].Instructions, all[1].Instructions)
	require.Len(t, all[1].Images, 1)
}

// What shows the editor what is meant: photos of one's own, with words for each.
func TestReferenceImagesAreUploadedEachWithItsWords(t *testing.T) {
	t.Parallel()
	inCheck(t)
	s := onPage(t)
	maria := s.sits("maria", "shoots")
	s.orders(maria, "shoots", "Mood", 0)
	maria.PressOn("Mood", "More actions for…")
	maria.Press("Add reference images")
	maria.SeesDialog("Add reference images")
	maria.Upload("Add files", s.onDisk(1, 2)...)
	maria.SeesPictures(2)
	maria.Fill("Instruction", "As warm as these.")
	maria.Check("Write an instruction for each photo next")
	maria.Press("Next")
	maria.SeesPictures(2)
	maria.Fill("2 · cake.jpg", "Only the shine.")
	maria.Press("Close")
	maria.SeesNoDialog()

	maria.PressOn("Mood", "More actions for…")
	maria.Press("Add reference images")
	maria.SeesDialog("Add reference images")
	maria.Sees("your text from")
	maria.Sees("cake.jpg")
	maria.Press("Next")
	maria.SeesValue("2 · cake.jpg", "Only the shine.")
	maria.Press("Add Photos")
	maria.Sees("2 reference photos")
	references := s.order().References
	require.Len(t, references, 2)
	require.Equal(t, "As warm as these.", references[0].Instruction)
	require.Equal(t, "Only the shine.", references[1].Instruction)
}
