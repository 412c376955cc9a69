package inspect

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"image"
	"math"

	"darkroom/files"
)

const (
	printSide = 20 // pixels
	printLen  = 2 + 4*printSide*printSide

	maxPreview     = 4 << 20  // bytes
	maxPreviewCost = 32 << 20 // bytes of memory to decode one
)

// Two prints show the same picture within these bounds. They are measured with the samples, at 200 to 1,400 pixels wide and
// JPEG qualities from 30 up.
const (
	maxMean   = 1.25 // difference of all values, on average; measured 0.9. All values 2 lighter make 1.5
	maxDiffer = 7    // difference of one value; measured 6. A stain of 0.3 % of the picture, 25 lighter than it, makes 8
	maxAspect = 0.02 // share by which the proportions differ
)

// A Print is a small copy of a picture, by which two pictures are compared: 20 × 20 pixels and the proportions, encoded as
// text of 2,136 bytes. The zero value is the same as no picture.
type Print string

// Print fetches a preview of at most 4 MB and copies it. The picture must not take more than 32 MB when it is decoded.
// Previews are decoded one at a time. The error is that of [files.Fetcher.Fetch], [files.ErrTooManyPixels], or one of the
// context.
func (i *Inspector) Print(ctx context.Context, address string) (Print, error) {
	data, err := i.previews.Fetch(ctx, address)
	if err != nil {
		return "", err
	}
	select {
	case i.decoding <- struct{}{}:
		defer func() { <-i.decoding }()
	case <-ctx.Done():
		return "", ctx.Err()
	}
	small, seen, err := files.Thumbnail(ctx, data, image.Pt(printSide, printSide), maxPreviewCost)
	if err != nil {
		return "", err
	}
	return newPrint(small, seen), nil
}

// newPrint encodes a small copy of a picture. Of the proportions it keeps the logarithm in thousandths: 21,487 at most.
func newPrint(small *image.RGBA, seen image.Point) Print {
	aspect := int16(1000 * math.Log(float64(seen.X)/float64(seen.Y)))
	return Print(base64.StdEncoding.EncodeToString(append(binary.BigEndian.AppendUint16(nil, uint16(aspect)), small.Pix...)))
}

// pixels returns the colours and the proportions; ok is false for a zero or broken print. Colours are of four bytes: red,
// green, blue, opaque.
func (p Print) pixels() (pix []byte, aspect float64, ok bool) {
	data, err := base64.StdEncoding.DecodeString(string(p))
	if err != nil || len(data) != printLen {
		return nil, 0, false
	}
	return data[2:], float64(int16(binary.BigEndian.Uint16(data))) / 1000, true
}

// Same reports whether both show the same picture, although one may be encoded anew, at a JPEG quality of 30 or more, or
// scaled, down to 200 pixels. They are not the same if one is cropped by more than 2 %, if it is 1 % lighter or darker, or
// if a spot of 0.3 % of the picture became 10 % lighter or darker. A fainter or smaller retouch may escape.
func (p Print) Same(other Print) bool {
	a, aspect, ok := p.pixels()
	b, otherAspect, otherOK := other.pixels()
	if !ok || !otherOK || math.Abs(aspect-otherAspect) > maxAspect {
		return false
	}
	sum := 0
	for i := range a {
		differ := max(a[i], b[i]) - min(a[i], b[i])
		if differ > maxDiffer {
			return false
		}
		sum += int(differ)
	}
	return float64(sum) <= maxMean*float64(len(a))
}

// WhiteBorder reports whether nine tenths of the border are white: each colour 250 or more.
func (p Print) WhiteBorder() bool {
	return p.border(func(pixel []byte) bool { return min(pixel[0], pixel[1], pixel[2]) >= 250 })
}

// TransparentBorder reports whether nine tenths of the border are transparent.
func (p Print) TransparentBorder() bool {
	return p.border(func(pixel []byte) bool { return pixel[3] <= 5 })
}

// border reports whether nine tenths of the outermost pixels are as is says.
func (p Print) border(is func(pixel []byte) bool) bool {
	pix, _, ok := p.pixels()
	count, most := 0, 4*(printSide-1)
	for i := 0; i < len(pix); i += 4 {
		x, y := i/4%printSide, i/4/printSide
		if (x%(printSide-1) == 0 || y%(printSide-1) == 0) && is(pix[i:i+4]) {
			count++
		}
	}
	return ok && 10*count >= 9*most
}
