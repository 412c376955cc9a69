package photos

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"image"
	"image/color"
	_ "image/gif" // decodes
	"image/jpeg"
	"image/png"
	"path"
	"strings"

	"golang.org/x/image/draw"
	_ "golang.org/x/image/tiff" // decodes
	_ "golang.org/x/image/webp" // decodes
)

const (
	thumbSide = 320         // the longer side of a thumbnail, in pixels
	maxPixels = 100_000_000 // of a picture that is decoded
)

// retouched is an edited picture with its preview.
type retouched struct {
	name          string
	width, height int // 0 for a format that is not decoded
	full, thumb   []byte
	kind          string // media type of the full picture
	thumbKind     string
}

// retouch edits a picture, or finds how it was edited before.
func retouch(src source, revision int) (retouched, error) {
	key := edit{content: sha256.Sum256(src.content), kind: src.kind, look: revision % looks}
	picture, found := edits.find(key)
	if !found {
		var err error
		if picture, err = paint(src, revision); err != nil {
			return picture, err
		}
		edits.keep(key, picture)
	}
	picture.name = src.name
	if picture.kind != src.kind {
		picture.name = strings.TrimSuffix(src.name, path.Ext(src.name)) + ".jpg"
	}
	return picture, nil
}

// looks is how many revisions look different; after them the first comes again.
const looks = 8

// paint edits a picture a little, and visibly otherwise in each revision: it
// is brighter, has more contrast and colour, and a thin border. A format that cannot be
// decoded is handed back as it came, with a gray preview.
func paint(src source, revision int) (retouched, error) {
	picture, err := decode(src.content)
	if err != nil {
		gray := image.NewNRGBA(image.Rect(0, 0, thumbSide, thumbSide*2/3))
		draw.Draw(gray, gray.Bounds(), image.NewUniform(color.Gray{Y: 0x99}), image.Point{}, draw.Src)
		thumb, err := encode(gray, "image/png")
		return retouched{full: src.content, kind: src.kind, thumb: thumb, thumbKind: "image/png"}, err
	}
	out := retouched{kind: "image/jpeg", width: picture.Bounds().Dx(), height: picture.Bounds().Dy()}
	if src.kind == "image/png" {
		out.kind = src.kind
	}
	out.thumbKind = out.kind
	adjust(picture, revision)
	frame(picture, revision)
	if out.full, err = encode(picture, out.kind); err != nil {
		return out, err
	}
	out.thumb, err = encode(shrink(picture), out.kind)
	return out, err
}

// decode reads a picture of bounded size into pixels of its own.
func decode(content []byte) (*image.NRGBA, error) {
	config, _, err := image.DecodeConfig(bytes.NewReader(content))
	if err != nil {
		return nil, fmt.Errorf("picture: %w", err)
	}
	if config.Width <= 0 || config.Height <= 0 || config.Width > maxPixels/config.Height {
		return nil, errors.New("picture: too many pixels")
	}
	decoded, _, err := image.Decode(bytes.NewReader(content))
	if err != nil {
		return nil, fmt.Errorf("picture: %w", err)
	}
	bounds := image.Rect(0, 0, decoded.Bounds().Dx(), decoded.Bounds().Dy())
	pixels := image.NewNRGBA(bounds)
	var onto draw.Image = pixels
	if _, photo := decoded.(*image.YCbCr); photo {
		onto = opaque(pixels)
	}
	draw.Draw(onto, bounds, decoded, decoded.Bounds().Min, draw.Src)
	return pixels, nil
}

// opaque is the same pixels as another type, which is the same as long as nothing shines
// through any of them: the packages that draw and encode have short ways for it.
func opaque(picture *image.NRGBA) *image.RGBA {
	return &image.RGBA{Pix: picture.Pix, Stride: picture.Stride, Rect: picture.Rect}
}

// adjust raises contrast and brightness, more in each revision.
func adjust(picture *image.NRGBA, revision int) {
	var curve [256]uint8
	for v := range curve {
		raised := 128 + (float64(v)-128)*1.12 + 16 + 12*float64(revision%looks)
		curve[v] = uint8(min(max(raised, 0), 255))
	}
	for i := 0; i < len(picture.Pix); i += 4 {
		pixel := picture.Pix[i : i+3 : i+3]
		r, g, b := int(curve[pixel[0]]), int(curve[pixel[1]]), int(curve[pixel[2]])
		gray := (r*3 + g*6 + b) / 10
		pixel[0], pixel[1], pixel[2] = stronger(r, gray), stronger(g, gray), stronger(b, gray)
	}
}

// stronger is a colour of a pixel, further from the pixel's gray.
func stronger(colour, gray int) uint8 { return uint8(min(max(colour+(colour-gray)/4, 0), 255)) }

// frame draws a border of one hundredth of the shorter side.
func frame(picture *image.NRGBA, revision int) {
	b := picture.Bounds()
	width := max(1, min(b.Dx(), b.Dy())/100)
	paint := image.NewUniform(color.NRGBA{R: 0xf4, G: 0xf1, B: 0xea - uint8(revision%looks)*16, A: 0xff})
	inner := b.Inset(width)
	for _, side := range []image.Rectangle{
		image.Rect(b.Min.X, b.Min.Y, b.Max.X, inner.Min.Y),
		image.Rect(b.Min.X, inner.Max.Y, b.Max.X, b.Max.Y),
		image.Rect(b.Min.X, b.Min.Y, inner.Min.X, b.Max.Y),
		image.Rect(inner.Max.X, b.Min.Y, b.Max.X, b.Max.Y),
	} {
		draw.Draw(picture, side, paint, image.Point{}, draw.Src)
	}
}

// shrink makes the preview; a small picture is its own.
func shrink(picture *image.NRGBA) *image.NRGBA {
	width, height := picture.Bounds().Dx(), picture.Bounds().Dy()
	longer := max(width, height)
	if longer <= thumbSide {
		return picture
	}
	smallWidth, smallHeight := thumbSize(width, height)
	thumb := image.NewNRGBA(image.Rect(0, 0, smallWidth, smallHeight))
	if picture.Opaque() {
		draw.ApproxBiLinear.Scale(opaque(thumb), thumb.Rect, opaque(picture), picture.Rect, draw.Src, nil)
	} else {
		draw.ApproxBiLinear.Scale(thumb, thumb.Rect, picture, picture.Rect, draw.Src, nil)
	}
	return thumb
}

// thumbSize returns the size of a preview.
func thumbSize(width, height int) (int, int) {
	longer := max(width, height)
	return max(1, width*thumbSide/longer), max(1, height*thumbSide/longer)
}

func encode(picture *image.NRGBA, kind string) ([]byte, error) {
	var b bytes.Buffer
	var err error
	if kind == "image/png" {
		err = png.Encode(&b, picture)
	} else {
		var photo image.Image = picture
		if picture.Opaque() {
			photo = opaque(picture)
		}
		err = jpeg.Encode(&b, photo, &jpeg.Options{Quality: 88})
	}
	return b.Bytes(), err
}
