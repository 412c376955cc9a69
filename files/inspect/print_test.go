package inspect

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/image/draw"

	"darkroom/files"
	"darkroom/sandbox/samples"
)

func printOf(tb testing.TB, data []byte) Print {
	tb.Helper()
	pixels, seen, err := files.Thumbnail(tb.Context(), data, image.Pt(printSide, printSide), maxPreviewCost)
	require.NoError(tb, err)
	return newPrint(pixels, seen)
}

func encoded(tb testing.TB, m image.Image, quality int) []byte {
	tb.Helper()
	var out bytes.Buffer
	require.NoError(tb, jpeg.Encode(&out, m, &jpeg.Options{Quality: quality}))
	return out.Bytes()
}

func scaled(m image.Image, width int, how draw.Scaler) image.Image {
	b := m.Bounds()
	out := image.NewRGBA(image.Rect(0, 0, width, (width*b.Dy()+b.Dx()/2)/b.Dx()))
	how.Scale(out, out.Rect, m, b, draw.Src, nil)
	return out
}

func copied(m image.Image) *image.RGBA {
	out := image.NewRGBA(m.Bounds())
	draw.Draw(out, out.Rect, m, image.Point{}, draw.Src)
	return out
}

// lighter makes a round spot lighter, or darker where it is too light already. Its area is a share of the picture.
func lighter(m image.Image, share float64, at image.Point, by int) image.Image {
	out := copied(m)
	b := out.Rect
	value := func(v uint8) uint8 {
		if int(v)+by > 255 {
			return v - uint8(by)
		}
		return v + uint8(by)
	}
	for y := range b.Dy() {
		for x := range b.Dx() {
			dx, dy := float64(x-at.X), float64(y-at.Y)
			if 3.14159*(dx*dx+dy*dy) < share*float64(b.Dx()*b.Dy()) {
				c := out.RGBAAt(x, y)
				out.SetRGBA(x, y, color.RGBA{value(c.R), value(c.G), value(c.B), 255})
			}
		}
	}
	return out
}

func sampled(tb testing.TB) map[string]image.Image {
	tb.Helper()
	pictures := map[string]image.Image{}
	for _, photo := range samples.All() {
		m, err := jpeg.Decode(bytes.NewReader(photo.Content))
		require.NoError(tb, err)
		pictures[photo.Name] = m
	}
	return pictures
}

// differences are the largest and the average difference of two prints.
func differences(tb testing.TB, a, b Print) (most, mean float64) {
	tb.Helper()
	require.Len(tb, a.pix, 4*printSide*printSide)
	require.Len(tb, b.pix, len(a.pix))
	for i := range a.pix {
		differ := float64(max(a.pix[i], b.pix[i]) - min(a.pix[i], b.pix[i]))
		most, mean = max(most, differ), mean+differ/float64(len(a.pix))
	}
	return most, mean
}

func TestAPictureEncodedAnewIsTheSame(t *testing.T) {
	t.Parallel()
	var most, mean float64
	for name, m := range sampled(t) {
		original := printOf(t, encoded(t, m, 76))
		again := map[string][]byte{
			"poor":                      encoded(t, m, 30),
			"200 wide":                  encoded(t, scaled(m, 200, draw.CatmullRom), 60),
			"361 wide":                  encoded(t, scaled(m, 361, draw.CatmullRom), 85),
			"300 wide, scaled in haste": encoded(t, scaled(m, 300, draw.ApproxBiLinear), 75),
		}
		if name == "beach.jpg" { // these take long
			again["PNG"] = pngOf(t, m)
			again["1,400 wide"] = encoded(t, scaled(m, 1400, draw.CatmullRom), 60)
		}
		for how, data := range again {
			p := printOf(t, data)
			one, all := differences(t, original, p)
			most, mean = max(most, one), max(mean, all)
			assert.True(t, original.Same(p) && p.Same(original), "%s, %s: %.0f and %.2f", name, how, one, all)
		}
	}
	t.Logf("differences up to %.0f, and %.2f on average", most, mean)
	assert.LessOrEqual(t, most, 6.0, "the doc comment says so")
	assert.LessOrEqual(t, mean, 0.95, "likewise")
}

func TestARetouchIsNotTheSame(t *testing.T) {
	t.Parallel()
	for name, m := range sampled(t) {
		m = scaled(m, 480, draw.CatmullRom)
		b := m.Bounds().Size()
		before := printOf(t, encoded(t, scaled(m, 300, draw.CatmullRom), 75))
		for _, share := range []float64{0.03, 0.003} {
			for _, at := range []image.Point{{30, 30}, {77, 71}} {
				after := lighter(m, share, image.Pt(at.X*b.X/100, at.Y*b.Y/100), 26)
				p := printOf(t, encoded(t, scaled(after, 300, draw.CatmullRom), 75))
				most, mean := differences(t, before, p)
				assert.False(t, before.Same(p) || p.Same(before), "%s, %v at %v: %.0f and %.2f", name, share, at, most, mean)
			}
		}
		brighter := printOf(t, encoded(t, lighter(m, 10, image.Point{}, 3), 75))
		assert.False(t, before.Same(brighter), "%s, all of it a little lighter", name)
	}
}

func TestOtherPicturesAreNotTheSame(t *testing.T) {
	t.Parallel()
	prints := map[string]Print{}
	for name, m := range sampled(t) {
		prints[name] = printOf(t, encoded(t, m, 76))
		b := m.Bounds()
		cropped := copied(m).SubImage(image.Rect(0, 0, b.Dx()*96/100, b.Dy()))
		prints[name+" cropped"] = printOf(t, encoded(t, cropped, 76))
	}
	for a, one := range prints {
		for b, other := range prints {
			assert.Equal(t, a == b, one.Same(other), "%s and %s", a, b)
		}
	}
}

// Of a picture of one colour, only the proportions tell a crop.
func TestProportionsMustBeTheSame(t *testing.T) {
	t.Parallel()
	plain := func(w, h int) Print { return printOf(t, encoded(t, image.NewGray(image.Rect(0, 0, w, h)), 90)) }
	assert.True(t, plain(300, 200).Same(plain(301, 200)))
	assert.True(t, plain(960, 640).Same(plain(200, 133)))
	assert.False(t, plain(300, 200).Same(plain(290, 200)))
	assert.False(t, plain(300, 200).Same(plain(200, 300)))
	assert.False(t, plain(290, 200).Same(plain(300, 200)))
}

func TestAPrintOfATurnedPicture(t *testing.T) {
	t.Parallel()
	upright := sampled(t)["beach.jpg"]
	b := upright.Bounds().Size()
	stored := image.NewRGBA(image.Rect(0, 0, b.Y, b.X)) // lies on its left side
	for y := range b.X {
		for x := range b.Y {
			stored.Set(x, y, upright.At(b.X-1-y, x))
		}
	}
	turned := printOf(t, jpegOf(t, stored, exifSegment(exifOf(8, ""))))
	assert.False(t, printOf(t, jpegOf(t, upright)).Same(turned), "turned the wrong way")
	assert.True(t, printOf(t, jpegOf(t, upright)).Same(printOf(t, jpegOf(t, stored, exifSegment(exifOf(6, ""))))))
}

func TestAZeroPrintIsTheSameAsNothing(t *testing.T) {
	t.Parallel()
	good, zero := printOf(t, encoded(t, image.NewGray(image.Rect(0, 0, 60, 60)), 90)), Print{}
	assert.False(t, zero.Same(good), "of the same proportions")
	assert.False(t, good.Same(zero))
	assert.False(t, zero.Same(zero))
	assert.False(t, zero.WhiteBorder())
	assert.False(t, zero.TransparentBorder())
	assert.True(t, good.Same(good))
}

func TestBorders(t *testing.T) {
	t.Parallel()
	product := func(behind color.Color, inside image.Rectangle) []byte {
		m := image.NewNRGBA(image.Rect(0, 0, 400, 400))
		draw.Draw(m, m.Rect, image.NewUniform(behind), image.Point{}, draw.Src)
		draw.Draw(m, inside, image.NewUniform(color.NRGBA{150, 40, 30, 255}), image.Point{}, draw.Src)
		return pngOf(t, m)
	}
	middle := image.Rect(100, 100, 300, 300)
	tests := map[string]struct {
		data               []byte
		white, transparent bool
	}{
		"white":                    {product(color.White, middle), true, false},
		"white, as JPEG":           {whiteJPEG(t, product(color.White, middle)), true, false},
		"nearly white":             {product(color.NRGBA{251, 250, 252, 255}, middle), true, false},
		"light grey":               {product(color.NRGBA{247, 247, 247, 255}, middle), false, false},
		"cream":                    {product(color.NRGBA{255, 255, 235, 255}, middle), false, false},
		"transparent":              {product(color.NRGBA{255, 255, 255, 0}, middle), false, true},
		"half transparent":         {product(color.NRGBA{255, 255, 255, 128}, middle), false, false},
		"white, touched below":     {product(color.White, image.Rect(150, 100, 250, 400)), true, false},
		"white, filled below":      {product(color.White, image.Rect(0, 100, 400, 400)), false, false},
		"white on the left alone":  {product(color.White, image.Rect(50, 0, 400, 400)), false, false},
		"white inside":             {product(color.Black, image.Rect(0, 0, 0, 0)), false, false},
		"a photo":                  {samples.All()[0].Content, false, false},
		"transparent, filled left": {product(color.Transparent, image.Rect(0, 0, 60, 400)), false, false},
	}
	for name, test := range tests {
		p := printOf(t, test.data)
		assert.Equal(t, test.white, p.WhiteBorder(), "white: %s", name)
		assert.Equal(t, test.transparent, p.TransparentBorder(), "transparent: %s", name)
	}
	removed := printOf(t, product(color.NRGBA{255, 255, 255, 0}, middle))
	assert.False(t, removed.Same(printOf(t, product(color.White, middle))), "its white was removed")
	assert.False(t, removed.Same(printOf(t, product(color.Black, middle))), "likewise its black")
}

func whiteJPEG(tb testing.TB, data []byte) []byte {
	tb.Helper()
	m, _, err := image.Decode(bytes.NewReader(data))
	require.NoError(tb, err)
	return encoded(tb, m, 70)
}

func TestInspectorPrintsPreviews(t *testing.T) {
	t.Parallel()
	for name, data := range map[string][]byte{
		"JPEG": samples.All()[0].Content, "PNG": pngOf(t, small(60, 40)), "GIF": gifOf(t, 60, 40),
		"WebP": webpOf([]byte(onePixel)), "TIFF": encodedTIFF(t, small(60, 40)),
	} {
		got, err := New(true).Print(t.Context(), showing(t, data).URL)
		require.NoError(t, err, name)
		assert.Equal(t, printOf(t, data), got, name)
	}
}
