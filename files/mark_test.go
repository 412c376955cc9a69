package files

import (
	"bytes"
	"image"
	"image/color"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/image/font/gofont/gobold"
)

// marked draws marks on a picture of the shop and decodes the crop.
func marked(t *testing.T, picture []byte, marks ...Mark) image.Image {
	t.Helper()
	sheets, base := shop{"/a.jpg": picture}.sheets(t)
	crop, err := sheets.MarkPicture(t.Context(), []Photo{{URL: base + "/gone.jpg"}, {URL: base + "/a.jpg"}}, marks)
	require.NoError(t, err)
	decoded, _, err := image.Decode(bytes.NewReader(crop))
	require.NoError(t, err)
	return decoded
}

// isRed reports whether a pixel is of a mark's disc.
func isRed(c color.Color) bool {
	r, g, b, _ := c.RGBA()
	return r>>8 > 150 && g>>8 < 90 && b>>8 < 90
}

// reds returns the middle of the pixels of discs, in thousandths of the picture.
func reds(m image.Image) (n, x, y int) {
	for py := m.Bounds().Min.Y; py < m.Bounds().Max.Y; py++ {
		for px := m.Bounds().Min.X; px < m.Bounds().Max.X; px++ {
			if isRed(m.At(px, py)) {
				n, x, y = n+1, x+px, y+py
			}
		}
	}
	if n == 0 {
		return 0, 0, 0
	}
	return n, x * 1000 / n / m.Bounds().Dx(), y * 1000 / n / m.Bounds().Dy()
}

func grey(w, h int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for i := range m.Pix {
		m.Pix[i] = 0x80
	}
	return m
}

func TestAMarkStandsWhereThePinIsAndTheCropIsAroundIt(t *testing.T) {
	crop := marked(t, asJPEG(t, grey(1200, 800)), Mark{X: 500, Y: 500})
	assert.Equal(t, image.Pt(601, 401), crop.Bounds().Size(), "a fourth of the picture on each side")
	n, x, y := reds(crop)
	assert.Greater(t, n, 1000)
	assert.InDelta(t, 500, x, 15)
	assert.InDelta(t, 500, y, 15)

	crop = marked(t, asJPEG(t, grey(1200, 800)), Mark{X: 100, Y: 250}, Mark{X: 900, Y: 250})
	assert.Equal(t, image.Pt(1200, 401), crop.Bounds().Size(), "all marks are on it")
	n, x, _ = reds(crop)
	assert.Greater(t, n, 2000)
	assert.InDelta(t, 500, x, 15)
}

func TestAMarkAtTheEdgeIsWhollyOnThePicture(t *testing.T) {
	whole, _, _ := reds(marked(t, asJPEG(t, grey(1200, 800)), Mark{X: 500, Y: 500}))
	for _, corner := range []Mark{{0, 0}, {1000, 0}, {0, 1000}, {1000, 1000}} {
		n, _, _ := reds(marked(t, asJPEG(t, grey(1200, 800)), corner))
		assert.InDelta(t, whole, n, float64(whole)/20, "%v", corner)
	}
	n, _, _ := reds(marked(t, asJPEG(t, grey(20, 10)), Mark{X: 500, Y: 500}))
	assert.Positive(t, n, "a picture that is smaller than a mark")
}

func TestAMarkStandsUprightAsTheCameraWasHeld(t *testing.T) {
	crop := marked(t, held(t, grey(1200, 800), 3), Mark{X: 0, Y: 0})
	_, x, y := reds(crop)
	assert.Less(t, x, 300)
	assert.Less(t, y, 300)
}

func TestOfALargePictureTheCropIsSmall(t *testing.T) {
	crop := marked(t, asJPEG(t, grey(4000, 1000)), Mark{X: 0, Y: 0}, Mark{X: 1000, Y: 1000})
	assert.Equal(t, image.Pt(markedBox, markedBox/4), crop.Bounds().Size())
}

func TestWithoutAPictureThereIsNoCrop(t *testing.T) {
	sheets, base := shop{"/page.jpg": []byte("<!doctype html>")}.sheets(t)
	for _, from := range [][]Photo{nil, {{URL: base + "/gone.jpg"}}, {{URL: base + "/page.jpg"}}} {
		_, err := sheets.MarkPicture(t.Context(), from, []Mark{{1, 1}})
		require.ErrorIs(t, err, ErrNotPicture)
	}
}

func TestMarksAreNumberedFromOne(t *testing.T) {
	face, err := newFace(gobold.TTF, markSize)
	require.NoError(t, err)
	got, want := grey(600, 400), grey(600, 400)
	_, err = drawMarks(got, []Mark{{250, 500}, {750, 500}})
	require.NoError(t, err)
	drawMark(want, face, image.Pt(150, 200), "1")
	drawMark(want, face, image.Pt(450, 200), "2")
	require.True(t, bytes.Equal(want.Pix, got.Pix))
}
