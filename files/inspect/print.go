package inspect

import (
	"context"
	"image"
	"math"

	"darkroom/files"
)

const (
	printSide      = 20       // pixels
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

// A Print is a small copy of a picture, by which two pictures are compared. The zero value is the same as no picture.
type Print struct {
	pix    []byte  // 20 × 20 pixels of four bytes: red, green, blue, opaque
	aspect float64 // logarithm of the proportions
}

// Print fetches a preview of at most 4 MB and copies it. The picture must not take more than 32 MB when it is decoded.
// Previews are decoded one at a time. The error is that of [files.Fetcher.Fetch], [files.ErrTooManyPixels], or one of the
// context.
func (i *Inspector) Print(ctx context.Context, address string) (Print, error) {
	data, err := i.fetcher.Fetch(ctx, address)
	if err != nil {
		return Print{}, err
	}
	if err := i.decoding.Acquire(ctx, 1); err != nil {
		return Print{}, err
	}
	defer i.decoding.Release(1)
	small, seen, err := files.Thumbnail(ctx, data, image.Pt(printSide, printSide), maxPreviewCost)
	if err != nil {
		return Print{}, err
	}
	return newPrint(small, seen), nil
}

// newPrint returns the print of a picture: small is its copy, seen its size.
func newPrint(small *image.RGBA, seen image.Point) Print {
	return Print{small.Pix, math.Log(float64(seen.X) / float64(seen.Y))}
}

// Same reports whether both show the same picture, although one may be encoded anew, at a JPEG quality of 30 or more, or
// scaled, down to 200 pixels. They are not the same if one is cropped by more than 2 %, if it is 1 % lighter or darker, or
// if a spot of 0.3 % of the picture became 10 % lighter or darker. A fainter or smaller retouch may escape.
func (p Print) Same(other Print) bool {
	if p.pix == nil || other.pix == nil || math.Abs(p.aspect-other.aspect) > maxAspect {
		return false
	}
	sum := 0
	for i, one := range p.pix {
		differ := max(one, other.pix[i]) - min(one, other.pix[i])
		if differ > maxDiffer {
			return false
		}
		sum += int(differ)
	}
	return float64(sum) <= maxMean*float64(len(p.pix))
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
	count, most := 0, 4*(printSide-1)
	for i := 0; i < len(p.pix); i += 4 {
		x, y := i/4%printSide, i/4/printSide
		if (x%(printSide-1) == 0 || y%(printSide-1) == 0) && is(p.pix[i:i+4]) {
			count++
		}
	}
	return 10*count >= 9*most
}
