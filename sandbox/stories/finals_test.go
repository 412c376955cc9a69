package stories

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/person"
	"darkroom/sandbox/workspace"
)

// A channel that wants them gets the final images as files, below the approval.
func TestFinalImagesComeIntoTheThread(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria := w.person("maria")
	links := w.place(maria, "Only links")
	w.deliver(maria, links.ID)
	w.approve(maria, "Only links")
	w.until("the approval is announced", func() bool { return strings.Contains(w.app.said(), "job=announce:"+links.ID+":g1:v3 ") })

	opensSettings(maria, "Orders")
	maria.Check("Threads", "Upload final photos")
	savesSettings(maria, "Final photos are uploaded.")
	order := w.another(maria, "With files")
	require.NoError(t, w.Photos.Deliver(order.ID))
	maria.SeesInThread("With files", "Ready for review")
	w.Workspace.Misbehave("files.completeUploadExternal", workspace.Error500After, 1) // and yet each comes once
	w.approve(maria, "With files")

	maria.SeesInThread("With files", "(file: 1 · cake.jpg)")
	require.Eventually(t, func() bool { return strings.Contains(w.app.said(), `msg="final images may be out"`) }, patience, tick)
	w.until("the images are looked for", func() bool { return strings.Contains(w.app.said(), "kind=finals deliveries=2") })
	var titles []string
	var content []string
	for _, m := range w.thread("With files") {
		for _, f := range m.Files {
			titles, content = append(titles, f.Title), append(content, string(f.Content))
		}
	}
	require.Equal(t, []string{"1 · cake.jpg"}, titles)
	edited, _ := w.Photos.Order(order.ID)
	for i, e := range edited.Edited {
		require.Equal(t, string(w.get(w.Photos.URL()+e.Origin, http.StatusOK)), content[i])
	}
	for _, m := range w.thread("Only links") {
		require.Empty(t, m.Files)
	}
}

// approveOn approves the photos beside the button of a message, and waits until the order's thread says so.
func approveOn(who *person.T, message, project string) {
	who.PressOn(message, "Approve")
	who.Sees("This closes the order.")
	who.Press("Approve")
	who.SeesInThread(project, "Approved by")
}

// approve approves an order with the button of its review.
func (w *world) approve(who *person.T, project string) {
	w.t.Helper()
	approveOn(who, "Ready for review: "+project, project)
}
