package stories

import (
	"bytes"
	"cmp"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"darkroom/sandbox/browser"
)

// untaken are the steps without a picture: they look as those of another way, or say little.
var untaken = map[string]bool{
	"two-rounds place-done": true, "two-rounds changes-done": true, "two-rounds approve": true, "two-rounds approve-done": true,
	"first-order approve-done": true, "batch rows-done": true,
}

// gallery is the directory for the pictures of docs/gallery.
func gallery(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("DARKROOM_SCREENSHOTS")
	if dir == "" {
		t.Skip("make screenshots takes them")
	}
	dir = filepath.Join(dir, "gallery")
	require.NoError(t, os.MkdirAll(dir, 0o755))
	return dir
}

// photographs returns a look that takes pictures of each step wide and on a phone, one of the two by night.
func photographs(t *testing.T, dir, way string) func(step string, x *browser.T) {
	t.Helper()
	n := 0
	return func(step string, x *browser.T) {
		if untaken[way+" "+step] {
			return
		}
		n++
		for _, l := range []browser.Look{{Dark: n%2 == 0}, {Phone: true, Dark: n%2 == 1}} {
			name := fmt.Sprintf("%s-%d-%s-%d.png", way, n, step, l.Width())
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), fewColors(t, seen(x, l)), 0o644)) //nolint:gosec // everybody may look
		}
		x.Turn(browser.Look{})
		x.Settle()
	}
}

// TestPicturesOfTheWays takes the pictures of docs/gallery. It is no story.
func TestPicturesOfTheWays(t *testing.T) {
	dir := gallery(t)
	before := browser.Options{Before: fmt.Sprintf(morning, time.Now().UnixMilli())}
	for _, way := range ways {
		t.Run(way.name, func(t *testing.T) {
			w := walks(t, before)
			w.Press("Hide the tour")
			takes := photographs(t, dir, way.name)
			w.look = func(step string) { takes(step, w.T) }
			way.walk(w)
		})
	}
	t.Run("pointing", func(t *testing.T) {
		s := onPage(t)
		maria := s.sits("maria", "shoots", before)
		maria.Press("Hide the tour")
		s.pointsAt(maria, photographs(t, dir, "pointing"))
	})
}

// fewColors is the picture in the colors that it has most of, which a PNG of a screen weighs a third for.
func fewColors(t *testing.T, picture []byte) []byte {
	t.Helper()
	from, err := png.Decode(bytes.NewReader(picture))
	require.NoError(t, err)
	var out bytes.Buffer
	require.NoError(t, (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, paletted(from, 128)))
	return out.Bytes()
}

// box are colors, each as often as it is there, that become one.
type box []color.RGBA

// widest is the channel in which the colors are furthest apart, and by how much, weighed by how many they are.
func (b box) widest() (channel int, weight int) {
	for c := range 3 {
		least, most := uint8(255), uint8(0)
		for _, one := range b {
			v := value(one, c)
			least, most = min(least, v), max(most, v)
		}
		if w := int(most-least) * len(b); most > least && w > weight {
			channel, weight = c, w
		}
	}
	return channel, weight
}

func value(c color.RGBA, channel int) uint8 { return [3]uint8{c.R, c.G, c.B}[channel] }

// paletted is the picture in so many colors: the box that is widest is cut at its middle until there are as many boxes.
func paletted(from image.Image, colors int) *image.Paletted {
	at := from.Bounds()
	counts := map[color.RGBA]int{}
	for y := at.Min.Y; y < at.Max.Y; y++ {
		for x := at.Min.X; x < at.Max.X; x++ {
			counts[coarse(from.At(x, y))]++
		}
	}
	boxes := []box{slices.Collect(maps.Keys(counts))}
	for len(boxes) < colors {
		widest := slices.MaxFunc(boxes, func(a, b box) int { _, x := a.widest(); _, y := b.widest(); return cmp.Compare(x, y) })
		channel, weight := widest.widest()
		if weight == 0 {
			break
		}
		slices.SortFunc(widest, func(a, b color.RGBA) int { return cmp.Compare(value(a, channel), value(b, channel)) })
		i := slices.IndexFunc(boxes, func(b box) bool { return &b[0] == &widest[0] })
		boxes[i] = widest[:len(widest)/2]
		boxes = append(boxes, widest[len(widest)/2:])
	}
	index, palette := map[color.RGBA]uint8{}, color.Palette{}
	for i, b := range boxes {
		palette = append(palette, slices.MaxFunc(b, func(x, y color.RGBA) int { return cmp.Compare(counts[x], counts[y]) }))
		for _, c := range b {
			index[c] = uint8(i) //nolint:gosec // there are at most 256
		}
	}
	to := image.NewPaletted(at, palette)
	for y := at.Min.Y; y < at.Max.Y; y++ {
		for x := at.Min.X; x < at.Max.X; x++ {
			to.SetColorIndex(x, y, index[coarse(from.At(x, y))])
		}
	}
	return to
}

// coarse is a color that the eye cannot tell from it.
func coarse(c color.Color) color.RGBA {
	r, g, b, _ := c.RGBA()
	return color.RGBA{uint8(r >> 8 &^ 7), uint8(g >> 8 &^ 7), uint8(b >> 8 &^ 7), 255} //nolint:gosec // eight bits each
}
