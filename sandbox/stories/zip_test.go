package stories

import (
	"archive/zip"
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/photos"
)

// The editor's work leaves Slack as one file, while it waits for its review and after that.
func TestAllImagesAreDownloadedAtOnce(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria, ben := w.person("maria"), w.person("ben")
	order := w.place(maria, "Summer catalogue")
	maria.SeesNoButton("Download All")
	w.deliver(ben, order.ID)
	address := ben.Follow("Ready for review", "Download All")
	require.True(t, strings.HasSuffix(address, ".zip"), address)
	require.Contains(t, address, "/Summer%20catalogue%20", "is called after the order")
	first := w.unzipped(address)
	require.Equal(t, w.editedBy(0), first)

	maria.PressOn("Ready for review", "Request Changes")
	maria.SeesModal("Request changes")
	maria.Fill("1 · beach.jpg", "Warmer, please.")
	maria.Submit()
	maria.SeesInThread("Summer catalogue", "Changes requested by Maria")
	require.NoError(t, w.Photos.Deliver(order.ID))
	ben.SeesBroadcast("round 2")
	second := w.unzipped(ben.Follow("round 2", "Download All"))
	require.Equal(t, w.editedBy(1), second)
	require.NotEqual(t, first["beach.jpg"], second["beach.jpg"], "the newer edit")
	require.Equal(t, first, w.unzipped(address), "the first round's stays that")

	approveOn(ben, "round 2", "Summer catalogue")
	maria.SeesInThread("Summer catalogue", "Approved by Ben")
	maria.OpenThread("Summer catalogue")
	require.Equal(t, second, w.unzipped(maria.Follow("Approved by", "Download All")))
	maria.CloseThread()
	maria.Type("/order show " + order.ID)
	maria.Sees("Edited photos")
	require.Equal(t, second, w.unzipped(maria.Follow("Edited photos", "Download All")))
	require.NotContains(t, w.app.said(), "unhandled")

	token, _, _ := strings.Cut(strings.TrimPrefix(address, w.app.url+"/files/zip/"), "/")
	require.Contains(t, string(w.get(strings.Replace(address, token, flip(token), 1), http.StatusForbidden)), "not from Darkroom")
}

// A link in a channel that the order has left opens nothing any more.
func TestADownloadEndsWithTheOrdersPlace(t *testing.T) {
	t.Parallel()
	w := open(t)
	maria := w.person("maria")
	order := w.place(maria, "Summer catalogue")
	w.deliver(maria, order.ID)
	address := maria.Follow("Ready for review", "Download All")
	w.get(address, http.StatusOK)
	w.person("olga").Type("/order untrack " + order.ID)
	maria.SeesInThread("Summer catalogue", "Untracked")
	require.Contains(t, string(w.get(address, http.StatusGone)), "left the channel")
}

// unzipped downloads a ZIP: what it holds, by name.
func (w *world) unzipped(address string) map[string]string {
	w.t.Helper()
	content := w.get(address, http.StatusOK)
	archive, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	require.NoError(w.t, err)
	held := map[string]string{}
	for _, f := range archive.File {
		r, err := f.Open()
		require.NoError(w.t, err)
		image, err := io.ReadAll(r)
		require.NoError(w.t, err)
		held[f.Name] = string(image)
	}
	return held
}

// editedBy are the newest edits of the order's images up to a revision, by name, as the service gives them out.
func (w *world) editedBy(revision int) map[string]string {
	w.t.Helper()
	edits := map[string]photos.Edited{}
	for _, e := range w.order().Edited {
		if e.Revision <= revision && e.Revision >= edits[e.Name].Revision {
			edits[e.Name] = e
		}
	}
	held := map[string]string{}
	for name, e := range edits {
		held[name] = string(w.get(w.Photos.URL()+e.Origin, http.StatusOK))
	}
	require.Len(w.t, held, 2)
	return held
}
