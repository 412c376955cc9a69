package stories

import (
	"bytes"
	"encoding/json"
	"image"
	"image/color"
	"image/jpeg"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox"
	"darkroom/sandbox/person"
	"darkroom/sandbox/workspace"
)

// A channel that wants to see before and after gets them in one picture of each review: the originals, whether they
// came from an address or from somebody's laptop, and later what changed since the round before.
func TestAChannelSeesBeforeAndAfterSideBySide(t *testing.T) {
	t.Parallel()
	w := open(t, sheetsTakeAMoment)
	maria, ben := w.person("maria"), w.person("ben")
	opensSettings(maria, "Orders")
	maria.Choose("Contact sheets", "Every round")
	savesSettings(maria, "Every round has a contact sheet.")

	w.orderBothWays(maria, "Side by side")
	order := w.order()
	w.deliver(ben, order.ID)
	ben.SeesInThread("Side by side", "Original, Round 1: 1 · beach.jpg, 2 · house.jpg")
	first := w.sheetsOf("Ready for review: Side by side")
	require.Len(t, first, 1)
	sheet := w.sheet(first[0])
	for i, name := range []string{"beach.jpg", "its edit", "house.jpg", "its edit"} {
		require.True(t, colourful(tileOf(sheet, 2, 2, i)), "%s is an empty tile", name)
	}
	require.Equal(t, 1, w.reviewsOf("Side by side"), "there is one message about it")

	ben.PressOn("Ready for review", "Request Changes")
	ben.SeesModal("Request changes")
	ben.Fill("1 · beach.jpg", "Less yellow.")
	ben.Submit()
	ben.Sees("Changes requested")
	ben.CloseModal()
	require.NoError(t, w.Photos.Deliver(order.ID))
	maria.SeesInThread("Side by side", "Original, Round 1, Round 2: 1 · beach.jpg")
	second := w.sheetsOf("Ready for review: Side by side")
	require.Len(t, second, 1, "the one of the first round is over")
	require.NotEqual(t, first, second)
	for i, name := range []string{"Original", "Round 1", "Round 2"} {
		require.True(t, colourful(tileOf(w.sheet(second[0]), 1, 3, i)), "%s is an empty tile", name)
	}
	maria.PressOn("round 2", "Approve")
}

// sheetsTakeAMoment is a Slack that looks at an upload before a message may show it.
func sheetsTakeAMoment(o *sandbox.Options) { o.Workspace.FileProcessing = 200 * time.Millisecond }

// A channel that set nothing sees what it asked for beside the original and the round before; the rest is a press away.
func TestASecondRoundStandsBesideTheFirst(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria := w.person("maria")
	w.secondRound(maria, "Later ones")
	maria.SeesInThread("Later ones", "Original, Round 1, Round 2: 2 · house.jpg")
	require.Len(t, w.uploads(), 1, "the first round had none")
	maria.PressOn("round 2", "See All 2")
	maria.SeesModal("Order details")
	maria.Sees("1 · beach.jpg")
	maria.CloseModal()
	maria.Type("/order settings")
	maria.SeesModal("Channel settings")
	maria.Sees("Reviews have a contact sheet from round 2 on.")
}

func TestAChannelMayHaveNoContactSheets(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria := w.person("maria")
	opensSettings(maria, "Orders")
	maria.Choose("Contact sheets", "Never")
	savesSettings(maria, "No contact sheets.")
	w.secondRound(maria, "In pairs")
	maria.SeesInThread("In pairs", "2 · house.jpg, before")
	maria.PressOn("round 2", "Approve")
	maria.Press("Approve")
	maria.SeesInThread("In pairs", "Approved")
	require.Empty(t, w.uploads())
}

// secondRound places an order of two photos whose second one is edited again.
func (w *world) secondRound(who *person.T, project string) {
	w.t.Helper()
	order := w.place(who, project)
	w.deliver(who, order.ID)
	who.PressOn("Ready for review", "Request Changes")
	who.SeesModal("Request changes")
	who.Fill("2 · house.jpg", "Brighter.")
	who.Submit()
	who.Sees("Changes requested")
	who.CloseModal()
	require.NoError(w.t, w.Photos.Deliver(order.ID))
}

// orderBothWays places an order of a photo at an address and one from the laptop.
func (w *world) orderBothWays(who *person.T, project string) {
	w.t.Helper()
	who.Type("/order new " + w.Samples()[1])
	who.SeesModal("New photo order")
	who.Upload("Photos", w.picture(0))
	who.Fill("Instructions", "Brighten the sky.")
	who.Fill("Project name", project)
	who.Submit()
	who.Sees("Order placed")
	who.CloseModal()
	who.SeesInThread(project, "Placed")
}

var slackFile = regexp.MustCompile(`"slack_file":\{"id":"([^"]+)"`)

// sheetsOf are the files of the contact sheets that messages show.
func (w *world) sheetsOf(says string) (ids []string) {
	w.t.Helper()
	for _, m := range w.thread("Side by side") {
		raw, err := json.Marshal(m.Blocks)
		require.NoError(w.t, err)
		if strings.Contains(m.Text, says) {
			for _, found := range slackFile.FindAllStringSubmatch(string(raw), -1) {
				ids = append(ids, found[1])
			}
		}
	}
	return ids
}

// reviewsOf counts an order's messages that ask for a review.
func (w *world) reviewsOf(project string) (n int) {
	w.t.Helper()
	for _, m := range w.thread(project) {
		if strings.HasPrefix(m.Text, "Ready for review: "+project) {
			n++
		}
	}
	return n
}

// uploads are the files that the app uploaded.
func (w *world) uploads() (uploads []workspace.Request) {
	for _, r := range w.Workspace.Requests() {
		if r.Method == "files.completeUploadExternal" && r.Error == "" {
			uploads = append(uploads, r)
		}
	}
	return uploads
}

// sheet is a contact sheet as people see it.
func (w *world) sheet(id string) image.Image {
	w.t.Helper()
	content := w.Workspace.FileContent(id)
	require.LessOrEqual(w.t, len(content), 1<<20)
	m, err := jpeg.Decode(bytes.NewReader(content))
	require.NoError(w.t, err)
	return m
}

// tileOf cuts out a picture of a sheet with so many rows and columns, counted by rows.
func tileOf(sheet image.Image, rows, columns, i int) []color.Color {
	size := sheet.Bounds().Size()
	at := image.Pt((2*(i%columns)+1)*size.X/(2*columns), (2*(i/columns)+1)*size.Y/(2*rows))
	var row []color.Color
	for x := range 200 {
		row = append(row, sheet.At(at.X-100+x, at.Y+20))
	}
	return row
}

// colourful says that there is a picture: an empty tile is grey.
func colourful(row []color.Color) bool {
	for _, c := range row {
		r, g, b, _ := c.RGBA()
		if max(r, g, b)-min(r, g, b) > 0x1800 {
			return true
		}
	}
	return false
}
