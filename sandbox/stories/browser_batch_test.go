package stories

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/browser"
)

// A file of orders is checked whole: what is wrong is named by its line and mended, what is right is seen before it is
// placed, and then the orders have their cards and the file says what became of each.
func TestAFileOfOrdersIsCheckedMendedAndPlacedOnThePage(t *testing.T) {
	t.Parallel()
	inCheck(t)
	s := onPage(t)
	maria := s.sits("maria", "shoots")
	first, second := s.Samples()[0], s.Samples()[1]
	types(maria, "shoots", "/order new")
	maria.SeesDialog("New photo order")
	maria.Upload("Add files", s.tableOnDisk("spring.csv", "name,images,service", "Smith wedding,"+first+",extensive", "Jones,beach.jpg,gold"))
	maria.Sees("spring.csv")
	maria.Fill("Instructions", "Brighten the sky.")
	maria.Press("Place Order")
	maria.SeesDialog("Fix the file")
	maria.Sees("Nothing was sent: spring.csv has 2 problems.")
	maria.Sees("Line 3: Not a link (http:// or https://): beach.jpg.")
	maria.Sees("Line 3: The service “gold” is not one")
	s.fits(maria)
	maria.Press("Return to Form")
	maria.SeesDialog("New photo order")
	maria.SeesValue("For rows without their own (optional)", "Brighten the sky.") // what was typed is still there
	require.Empty(t, s.Photos.Orders(), "nothing is sent while a row has a problem")
	maria.Sees("credits left")
	maria.Upload("Add files", s.tableOnDisk("spring.csv", "name,images,service", "Smith wedding,"+first+",extensive", "Jones,"+second+" "+first+",basic"))
	maria.Sees("spring.csv")
	maria.Press("Place Order")
	maria.SeesDialog("Place orders")
	maria.Sees("2 orders, 3 photos")
	maria.Sees("Smith wedding · 1 photo · Extensive")
	maria.Sees("Jones · 2 photos · Basic")
	s.fits(maria)
	require.Empty(t, s.Photos.Orders(), "nothing is sent before it was seen")
	maria.Press("Place 2 Orders")
	maria.Sees("Every order is placed: 2 orders.")
	maria.Sees("The result of every row is in a file in this chat.")
	s.fits(maria)
	maria.Press("Close")
	maria.SeesNoDialog()
	maria.Sees("2 orders · 2 being edited", browser.Where{Item: "spring.csv"}) // their card
	maria.Sees("4 replies", browser.Where{Item: "spring.csv"})
	maria.Press("Darkroom APP…")
	maria.Sees("Every order is placed: 2 orders.")
	maria.Sees("spring-result.csv")
}

// A thread in which photos were collected is one order for each of its messages.
func TestAThreadOfPhotosIsOneOrderForEachMessageOnThePage(t *testing.T) {
	t.Parallel()
	inCheck(t)
	s := onPage(t)
	ben := s.person("ben")
	ben.Share("Brighten the sky, please.", s.threadPictures(0)...)
	ben.OpenThread("Brighten the sky, please.")
	ben.Share("Polish the gold.", s.threadPictures(1, 2)...)
	maria := s.sits("maria", "shoots")
	maria.Sees("1 reply", browser.Where{Item: "Brighten the sky, please."})
	maria.PressOn("Brighten the sky, please.", "More actions")
	maria.Press("Order these photos")
	maria.SeesDialog("New photo order")
	maria.Sees("This thread has 3 photos in 2 messages")
	maria.Pick("Which photos", "One order for each message…")
	s.fits(maria)
	maria.Press("Next")
	maria.SeesDialog("Place orders")
	maria.Sees("2 orders, 3 photos")
	maria.Sees("Polish the gold. · 2 photos · Basic")
	s.fits(maria)
	require.Empty(t, s.Photos.Orders(), "nothing is sent before it was seen")
	maria.Press("Place 2 Orders")
	maria.Sees("Every order is placed: 2 orders.")
	maria.Press("Close")
	maria.SeesNoDialog()
	maria.Sees("2 orders · 2 being edited", browser.Where{Item: "Thread of photos"}) // their card
	require.Len(t, s.Photos.Orders(), 2)
}

// tableOnDisk is a file of orders on somebody's laptop.
func (s *stage) tableOnDisk(name string, lines ...string) string {
	s.t.Helper()
	path := filepath.Join(s.t.TempDir(), name)
	require.NoError(s.t, os.WriteFile(path, []byte(strings.Join(lines, "\r\n")+"\r\n"), 0o600))
	return path
}
