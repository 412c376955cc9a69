package page_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// What is long stays short enough to be gone through with a thumb: twelve photos to judge, and the Home of somebody with
// forty orders.
func TestLongViewsAreBoundedOnAPhone(t *testing.T) {
	g := drawn(t, phone)
	run[any](g, "window.gallery.photos(%s)", samplePhotos())
	for file, most := range map[string]float64{
		"TestModals/twelve_images/revise.json": 2500,
		"TestHome/many_images/forty.json":      1600,
	} {
		ends := run[[]float64](g, "window.gallery.sheet(%s, %s)", []string{file}, "light")
		height := ends[len(ends)-1] - ends[0]
		t.Logf("%s: %.0f pixels", file, height)
		require.LessOrEqual(t, height, most, file)
	}
}
