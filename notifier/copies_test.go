package notifier_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/workspace"
	"darkroom/upstream"
)

// lab fetches previews that only it can reach.
type lab struct {
	fetched []string
	refuses string // one address it cannot fetch either
}

func (l *lab) Fetch(_ context.Context, url string) ([]byte, error) {
	l.fetched = append(l.fetched, url)
	if url == l.refuses {
		return nil, errors.New("no such picture")
	}
	return []byte("\x89PNG\r\n\x1a\nsmall"), nil
}

func TestPreviewsThatSlackCannotFetchAreShownFromCopies(t *testing.T) {
	gone := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(gone.Close)
	images := []upstream.EditedImage{
		{ID: "i1", Name: "beach.jpg", Thumb: gone.URL + "/1.png"},
		{ID: "i2", Name: "dunes.jpg", Thumb: gone.URL + "/2.png"},
	}
	r := newRig(t, workspace.Options{})
	l := &lab{refuses: images[1].Thumb}
	r.config.Pictures = l
	r.place(t, shoots)
	r.happens(t, upstream.Reviewing, 0, images...)

	require.Equal(t, 3*time.Second, waits(t, r.try(t)), "Slack needs a moment for an upload")
	r.announce(t)
	require.Len(t, l.fetched, 2, "each is fetched once")
	said := shown(t, r.reply(t, shoots, "ready:r0"))
	require.Equal(t, 1, strings.Count(said, `"slack_file"`), said)
	require.Contains(t, said, "dunes.jpg", "the other is named")
	require.NotContains(t, said, "/1.png")
}

func TestWithoutAWayToCopyTheReplyGoesOutWithoutPreviews(t *testing.T) {
	gone := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(gone.Close)
	for name, cause := range map[string]func(r *rig){
		"nothing fetches": func(*rig) {},
		"no permission": func(r *rig) {
			r.config.Pictures = &lab{}
			r.w.Misbehave("files.getUploadURLExternal", workspace.Fails("missing_scope"), 9)
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, workspace.Options{})
			cause(r)
			r.place(t, shoots)
			r.happens(t, upstream.Reviewing, 0, upstream.EditedImage{ID: "i1", Name: "beach.jpg", Thumb: gone.URL + "/1.png"})
			r.announce(t)
			said := shown(t, r.reply(t, shoots, "ready:r0"))
			require.Contains(t, said, "beach.jpg")
			require.NotContains(t, said, `"image"`)
		})
	}
}

func shown(t *testing.T, m workspace.Message) string {
	t.Helper()
	raw, err := json.Marshal(m.Blocks)
	require.NoError(t, err)
	return fmt.Sprint(m.Text, string(raw))
}
