package files

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestThumbnailsAreUprightAndOfTheSizeThatIsAskedFor(t *testing.T) {
	t.Parallel()
	upright := scene(600, 400, 90)
	want, seen, err := Thumbnail(t.Context(), asJPEG(t, upright), image.Pt(30, 10), 10<<20)
	require.NoError(t, err)
	assert.Equal(t, image.Pt(600, 400), seen)
	assert.Equal(t, image.Rect(0, 0, 30, 10), want.Rect)
	for _, orientation := range []uint16{3, 6, 8} {
		got, seen, err := Thumbnail(t.Context(), held(t, upright, orientation), image.Pt(30, 10), 10<<20)
		require.NoError(t, err)
		assert.Equal(t, image.Pt(600, 400), seen, "%d", orientation)
		require.Equal(t, want.Rect, got.Rect, "%d", orientation)
		for i := range want.Pix {
			assert.InDelta(t, want.Pix[i], got.Pix[i], 4, "%d at %d", orientation, i)
		}
	}
}

func TestThumbnailsStayTransparent(t *testing.T) {
	t.Parallel()
	m := image.NewNRGBA(image.Rect(0, 0, 40, 40))
	draw.Draw(m, image.Rect(0, 0, 20, 40), image.NewUniform(color.White), image.Point{}, draw.Src)
	var data bytes.Buffer
	require.NoError(t, png.Encode(&data, m))
	small, _, err := Thumbnail(t.Context(), data.Bytes(), image.Pt(4, 4), 1<<20)
	require.NoError(t, err)
	assert.Equal(t, color.RGBA{255, 255, 255, 255}, small.RGBAAt(0, 0))
	assert.Equal(t, color.RGBA{}, small.RGBAAt(3, 3))
}

func TestThumbnailsDecodeNothingThatCostsMore(t *testing.T) {
	t.Parallel()
	data := asJPEG(t, scene(600, 400, 90))
	cost := costOf(data, "jpeg", image.Config{Width: 600, Height: 400})
	_, _, err := Thumbnail(t.Context(), data, image.Pt(4, 4), cost)
	require.NoError(t, err)
	_, _, err = Thumbnail(t.Context(), data, image.Pt(4, 4), cost-1)
	require.ErrorIs(t, err, ErrTooManyPixels)
	for name, bad := range hostiles(t) {
		_, _, err := Thumbnail(t.Context(), bad, image.Pt(4, 4), maxDecoded)
		require.Error(t, err, name)
	}
}

// A camera's directories may list thousands of others; reading them all would take minutes.
func TestDirectoriesOfDirectoriesAreNotFollowed(t *testing.T) {
	t.Parallel()
	const lists, entries = 2400, 4000
	exif := []byte("Exif\x00\x00II*\x00\x08\x00\x00\x00\x02\x00\x12\x01\x03\x00\x01\x00\x00\x00\x06\x00\x00\x00\x4a\x01\x04\x00")
	exif = append(exif, lists&0xFF, lists>>8, 0, 0, 38, 0, 0, 0, 0, 0, 0, 0)
	at := 38 + 4*lists
	for range lists {
		exif = append(exif, byte(at), byte(at>>8), 0, 0)
	}
	exif = append(exif, entries&0xFF, entries>>8)
	exif = append(exif, bytes.Repeat([]byte{0, 0x99, 4, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0}, entries)...)
	data := asJPEG(t, scene(60, 40, 9))
	app1 := append([]byte{0xff, 0xe1, byte((len(exif) + 2) >> 8), byte(len(exif) + 2)}, exif...)
	data = append(append(bytes.Clone(data[:2]), app1...), data[2:]...)
	began := time.Now()
	assert.Equal(t, orientation(6), orientationOf(data, "jpeg"))
	assert.Less(t, time.Since(began), 300*time.Millisecond)
}
