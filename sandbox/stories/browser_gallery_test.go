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

// TestPicturesOfTheWays takes the pictures of docs/gallery: each step of each way wide and on a phone, one of the two by night.
// It is no story.
func TestPicturesOfTheWays(t *testing.T) {
	dir := os.Getenv("DARKROOM_SCREENSHOTS")
	if dir == "" {
		t.Skip("make screenshots takes them")
	}
	dir = filepath.Join(dir, "gallery")
	require.NoError(t, os.MkdirAll(dir, 0o755))
	for _, way := range ways {
		t.Run(way.name, func(t *testing.T) {
			w := walks(t, browser.Options{Before: fmt.Sprintf(morning, time.Now().UnixMilli())})
			w.Press("Hide the tour")
			n := 0
			w.look = func(step string) {
				if untaken[way.name+" "+step] {
					return
				}
				n++
				for _, l := range []browser.Look{{Dark: n%2 == 0}, {Phone: true, Dark: n%2 == 1}} {
					name := fmt.Sprintf("%s-%d-%s-%d.png", way.name, n, step, l.Width())
					require.NoError(t, os.WriteFile(filepath.Join(dir, name), fewColors(t, seen(w.T, l)), 0o644)) //nolint:gosec // everybody may look
				}
				w.Turn(browser.Look{})
				w.Settle()
			}
			way.walk(w)
		})
	}
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
