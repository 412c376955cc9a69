package announce_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"darkroom/order"
	"darkroom/sandbox/samples"
	"darkroom/sandbox/workspace"
)

// pictured returns images with previews, except for the named ones.
func pictured(t *testing.T, gone ...string) []order.EditedImage {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, name := range gone {
			if strings.HasSuffix(r.URL.Path, name) {
				http.NotFound(w, r)
				return
			}
		}
		_, _ = w.Write(samples.All()[0].Content)
	}))
	t.Cleanup(server.Close)
	var images []order.EditedImage
	for _, name := range []string{"1.png", "2.png", "3.png"} {
		images = append(images, order.EditedImage{ID: name, Name: name, Thumb: server.URL + "/" + name})
	}
	return images
}

func TestAPictureThatSlackCannotFetchCostsOnlyItself(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.config.Pictures = &previewSource{}
	r.place(t, shoots)
	r.happens(t, order.StatusReviewing, 0, pictured(t, "2.png")...)
	r.announce(t)
	said := shown(t, r.reply(t, shoots, "ready:r0"))
	require.Contains(t, said, `/1.png"`)
	require.Contains(t, said, `/3.png"`)
	require.NotContains(t, said, `/2.png"`)
	require.Contains(t, said, "2 · 2.png", "it is named all the same")
	require.Equal(t, []string{"card", "placed", "ready:r0"}, r.thread(t, shoots), "nothing is sent twice")
	r.previews(t)
	said = shown(t, r.reply(t, shoots, "ready:r0"))
	require.Contains(t, said, `"slack_file"`, "its copy is filled in")
	require.Contains(t, said, `/1.png"`, "beside the others")
}

func TestASlackThatRefusesLayoutsGetsThePlainVersionAtOnceEachTime(t *testing.T) {
	t.Parallel()
	r := newRig(t, workspace.Options{})
	r.w.RefuseBlocks("layout")
	r.place(t, shoots)
	r.happens(t, order.StatusReviewing, 0, pictured(t)...)
	require.NoError(t, r.try(t))
	said := shown(t, r.reply(t, shoots, "ready:r0"))
	require.NotContains(t, said, `"layout"`)
	require.Contains(t, said, `/1.png"`, "the pictures stay")

	r.config.Pictures = &previewSource{}
	r.happens(t, order.StatusRevising, 1)
	r.happens(t, order.StatusReviewing, 1, pictured(t, "2.png")...)
	r.announce(t)
	require.NotContains(t, shown(t, r.reply(t, shoots, "ready:r1")), `"layout"`)
	r.previews(t)
	said = shown(t, r.reply(t, shoots, "ready:r1"))
	require.NotContains(t, said, `"layout"`)
	require.Contains(t, said, `"slack_file"`, "a copy is filled in all the same")

	r.w.RefuseBlocks()
	r.happens(t, order.StatusRevising, 2)
	r.happens(t, order.StatusReviewing, 2, pictured(t)...)
	r.announce(t)
	require.Contains(t, shown(t, r.reply(t, shoots, "ready:r2")), `"layout"`, "a refusal is not remembered")
}
