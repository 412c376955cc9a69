package main

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	slackbox "darkroom/sandbox/workspace"
)

// TestStoppingWaitsForLooksInRoomsThatWereDropped: somebody added the app anew, or so many workspaces were used that these rooms
// had to go, while somebody in them waits for a form.
func TestStoppingWaitsForLooksInRoomsThatWereDropped(t *testing.T) {
	t.Parallel()
	for name, drop := range map[string]func(*many, string){
		"forgotten":   (*many).forget,
		"out of room": func(m *many, id string) { m.warm.Delete(id) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := openManyTown(t, []string{"studio"}, nil)
			w.app.waits.drain = time.Minute // the machine may be busy
			w.open()
			studio := w.Workspace("studio")
			filled := func() bool {
				return slices.ContainsFunc(studio.Requests(), func(q slackbox.Request) bool { return q.Method == "views.update" && q.Status == http.StatusOK })
			}
			require.False(t, filled())
			studio.Misbehave("views.open", slackbox.Slow(500*time.Millisecond), 1)
			w.in("studio", "olga").Type("/order settings")
			drop(w.app.many, studio.ID())
			deaf := make(chan struct{})
			close(deaf)
			w.app.drain(t.Context(), &http.Server{ReadHeaderTimeout: time.Second}, deaf)
			require.True(t, filled())
		})
	}
}
