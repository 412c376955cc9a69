package photos

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/draw"

	"darkroom/sandbox/samples"
)

// hidden is a picture of a type that nobody knows: the packages that draw and encode have no
// short way for it.
type hidden struct{ image.Image }

func TestTheShortWaysOfAPhotoLeadWhereTheLongOnesDo(t *testing.T) {
	content := samples.All()[0].Content
	decoded, _, err := image.Decode(bytes.NewReader(content))
	require.NoError(t, err)
	long := image.NewNRGBA(decoded.Bounds())
	draw.Draw(long, long.Rect, hidden{decoded}, image.Point{}, draw.Src)
	short, err := decode(content)
	require.NoError(t, err)
	require.True(t, bytes.Equal(long.Pix, short.Pix), "decoded")

	preview := shrink(short)
	thumb := image.NewNRGBA(preview.Rect)
	draw.ApproxBiLinear.Scale(thumb, thumb.Rect, long, long.Rect, draw.Src, nil)
	require.True(t, bytes.Equal(thumb.Pix, preview.Pix), "shrunk")

	var b bytes.Buffer
	require.NoError(t, jpeg.Encode(&b, hidden{preview}, &jpeg.Options{Quality: 88}))
	encoded, err := encode(preview, "image/jpeg")
	require.NoError(t, err)
	require.True(t, bytes.Equal(b.Bytes(), encoded), "encoded")
}

// What nobody sees has a colour too, which must not get into what is beside it.
func TestWhatIsTransparentLendsNoColour(t *testing.T) {
	picture := image.NewNRGBA(image.Rect(0, 0, 500, 40))
	for x := range 500 {
		for y := range 40 {
			picture.SetNRGBA(x, y, color.NRGBA{R: 0xff, A: 0})
			if x%2 == 0 {
				picture.SetNRGBA(x, y, color.NRGBA{A: 0xff})
			}
		}
	}
	for i, v := range shrink(picture).Pix {
		if i%4 == 0 {
			require.Zero(t, v)
		}
	}
}
