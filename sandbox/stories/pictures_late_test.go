package stories

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/photos"
)

// A picture that takes its time, or never comes, holds up neither its review nor what the channel is told of
// another order. What comes in the end is filled in. Slack is not asked for what is late: it would hold the
// message up, and refuse it. What it alone cannot have costs one message that, and those after it nothing.
func TestLatePicturesHoldNobodyUp(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		wait     time.Duration
		agent    string
		pictures int  // in the end
		blamed   bool // Slack was kept waiting, once
	}{
		"one never comes":           {photos.Never, "", 1, false},
		"one comes after 4 seconds": {4 * time.Second, "", 2, false},
		"one never comes to Slack":  {photos.Never, "Slack-ImgProxy", 2, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := open(t)
			maria := w.person("maria")
			order := w.place(maria, "Late pictures")
			other := w.another(maria, "Another one")
			w.Photos.DelayPreviews("beach.jpg", test.wait, test.agent)
			require.NoError(t, w.Photos.Deliver(order.ID))
			maria.SeesInThread("Late pictures", "Ready for review")
			require.NoError(t, w.Photos.Deliver(other.ID))
			maria.SeesInThread("Another one", "Ready for review")
			w.until("its pictures are there", func() bool { return w.picturesOf("Late pictures") == test.pictures })
			w.until("the other's is there", func() bool { return w.picturesOf("Another one") == 1 })
			t.Logf("%s: its review is out %v after it was seen to be ready", name, w.heldUp("Late pictures", order.ID))
			refused, last := w.posts("Ready for review")
			if !test.blamed {
				require.Zero(t, refused, "Slack is asked for no picture that is known to be late")
				return
			}
			require.Equal(t, 1, refused)
			require.NotContains(t, last, "/thumbs/", "it is asked for none of that host for a while")
		})
	}
}

// heldUp is how long it took from the moment when a delivery was read until the channel was told.
func (w *world) heldUp(project, id string) time.Duration {
	var read, told time.Time
	for _, r := range w.Workspace.Requests() {
		if r.Method == "chat.postMessage" && r.Error == "" && strings.Contains(fmt.Sprint(r.Args["text"]), "Ready for review: "+project) {
			told = r.At
		}
	}
	for _, r := range w.Photos.Requests() {
		if r.Op == photos.Fetch && strings.HasSuffix(r.Path, "/"+id) && r.At.Before(told) {
			read = r.At
		}
	}
	return told.Sub(read).Round(time.Millisecond)
}

// posts are the messages that say something: how many Slack refused, and the blocks of the last one.
func (w *world) posts(says string) (refused int, last string) {
	for _, r := range w.Workspace.Requests() {
		if r.Method != "chat.postMessage" || !strings.Contains(fmt.Sprint(r.Args["text"]), says) {
			continue
		}
		if last = fmt.Sprint(r.Args["blocks"]); r.Error != "" {
			refused++
		}
	}
	return refused, last
}

// picturesOf counts the pictures of an order's review.
func (w *world) picturesOf(project string) (n int) {
	w.t.Helper()
	for _, m := range w.thread(project) {
		if strings.Contains(m.Text, "Ready for review") {
			raw, err := json.Marshal(m.Blocks)
			require.NoError(w.t, err)
			n += strings.Count(string(raw), `"title":{`) - strings.Count(string(raw), `"deny":{`) // a dialog has a title, too
		}
	}
	return n
}
