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
	ben.SeesInThread("Side by side", "Original and edit: 1 · beach.jpg, 2 · house.jpg")
	first := w.sheetsOf("Ready for review: Side by side")
	require.Len(t, first, 1)
	sheet := w.sheet(first[0])
	for i, name := range []string{"beach.jpg", "its edit", "house.jpg", "its edit"} {
		require.True(t, colourful(tileOf(sheet, i)), "%s is an empty tile", name)
	}
	require.Equal(t, 1, w.reviewsOf("Side by side"), "there is one message about it")

	ben.PressOn("Ready for review", "Request Changes")
	ben.SeesModal("Request changes")
	ben.Fill("1 · beach.jpg", "Less yellow.")
	ben.Submit()
	ben.Sees("Changes requested")
	ben.CloseModal()
	require.NoError(t, w.Photos.Deliver(order.ID))
	maria.SeesInThread("Side by side", "Previous and new edit: 1 · beach.jpg")
	second := w.sheetsOf("Ready for review: Side by side")
	require.Len(t, second, 1, "the one of the first round is over")
	require.NotEqual(t, first, second)
	require.True(t, colourful(tileOf(w.sheet(second[0]), 0)))
	maria.PressOn("round 2", "Approve")
}

// sheetsTakeAMoment is a Slack that looks at an upload before a message may show it.
func sheetsTakeAMoment(o *sandbox.Options) { o.Workspace.FileProcessing = 200 * time.Millisecond }

func TestLaterRoundsHaveAContactSheet(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria := w.person("maria")
	order := w.place(maria, "Later ones")
	w.deliver(maria, order.ID)
	maria.PressOn("Ready for review", "Request Changes")
	maria.SeesModal("Request changes")
	maria.Fill("2 · house.jpg", "Brighter.")
	maria.Submit()
	maria.Sees("Changes requested")
	maria.CloseModal()
	require.NoError(t, w.Photos.Deliver(order.ID))
	maria.SeesInThread("Later ones", "Previous and new edit: 2 · house.jpg")
	require.Len(t, w.uploads(), 1, "the first round had none")
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

// tileOf cuts out a picture of a sheet with two rows: 0 and 1 are the first one's.
func tileOf(sheet image.Image, i int) []color.Color {
	size := sheet.Bounds().Size()
	at := image.Pt(size.X/4+i%2*size.X/2, size.Y/4+i/2*size.Y/2)
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
