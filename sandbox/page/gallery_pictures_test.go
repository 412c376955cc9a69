package page_test

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"darkroom/sandbox/samples"
)

// tallest is how many pixels of a sheet are one picture: what an eye and a browser can take.
const tallest = 4000

// TestGalleryPictures takes pictures of every golden file, wide and narrow, by day and by night, those
// of a folder one below the other; it is no test.
func TestGalleryPictures(t *testing.T) {
	dir := os.Getenv("DARKROOM_SCREENSHOTS")
	if dir == "" {
		t.Skip("make gallery takes them")
	}
	folders := map[string][]string{}
	for _, golden := range goldenFiles(t) {
		folders[path.Dir(golden)] = append(folders[path.Dir(golden)], golden)
	}
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "golden"), 0o755))
	for _, window := range []size{desktop, phone} {
		for _, theme := range []string{"light", "dark"} {
			g := openGallery(t, window)
			run[any](g, "window.gallery.photos(%s)", samplePhotos())
			for folder, goldens := range folders {
				name := fmt.Sprintf("%s-%d-%s", strings.ReplaceAll(folder, "/", "-"), window.width, theme)
				g.photograph(window, run[[]float64](g, "window.gallery.sheet(%s, %s)", goldens, theme), filepath.Join(dir, "golden", name))
			}
		}
	}
}

// photograph takes what is drawn in pictures that end where a golden file does, when it can be.
func (g *gallery) photograph(window size, ends []float64, name string) {
	g.tb.Helper()
	from := ends[0]
	for i, part := 1, 1; i < len(ends); i++ {
		if i < len(ends)-1 && ends[i+1]-from <= tallest {
			continue
		}
		shot := g.picture(page.Viewport{Y: from, Width: float64(min(window.width, 792)), Height: ends[i] - from, Scale: 1})
		require.NoError(g.tb, os.WriteFile(fmt.Sprintf("%s-%d.jpg", name, part), shot, 0o644)) //nolint:gosec // everybody may look
		from = ends[i]
		part++
	}
}

// picture is a part of the page as a JPEG, seen or not.
func (g *gallery) picture(part page.Viewport) []byte {
	g.tb.Helper()
	beyond := true
	shot, err := chromedp.Call(g.ctx, page.CaptureScreenshot, page.CaptureScreenshotParams{Format: page.CaptureScreenshotFormatJpeg, Clip: &part, CaptureBeyondViewport: &beyond})
	require.NoError(g.tb, err)
	return shot.Data
}

// samplePhotos are the addresses of the sample photos on the gallery's site.
func samplePhotos() []string {
	var all []string
	for _, photo := range samples.All() {
		all = append(all, "/static/samples/"+photo.Name)
	}
	return all
}

func addSamples(site fstest.MapFS) fs.FS {
	for _, photo := range samples.All() {
		site["samples/"+photo.Name] = &fstest.MapFile{Data: photo.Content}
	}
	return site
}
