package main

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/cmd/darkroom/tenants"
	slackbox "darkroom/sandbox/workspace"
)

// TestStoppingWaitsForLooksInRoomsThatWereDropped: the cache dropped a workspace's app, because the app was added anew or
// the cache was full, while a person there waits for a form.
func TestStoppingWaitsForLooksInRoomsThatWereDropped(t *testing.T) {
	t.Parallel()
	for name, drop := range map[string]func(*tenants.Apps, string){
		"forgotten":   (*tenants.Apps).Forget,
		"out of room": (*tenants.Apps).Drop,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := openManyTown(t, []string{"studio"}, nil)
			w.app.shared.Waits.Drain = time.Minute // the machine may be busy
			w.open()
			studio := w.Workspace("studio")
			filled := func() bool {
				return slices.ContainsFunc(studio.Requests(), func(q slackbox.Request) bool { return q.Method == "views.update" && q.Status == http.StatusOK })
			}
			require.False(t, filled())
			studio.Misbehave("views.open", slackbox.Slow(500*time.Millisecond), 1)
			w.in("studio", "olga").Type("/order settings")
			drop(w.app.many.Apps, studio.ID())
			deaf := make(chan struct{})
			close(deaf)
			w.app.drain(t.Context(), &http.Server{ReadHeaderTimeout: time.Second}, deaf)
			require.True(t, filled())
		})
	}
}
