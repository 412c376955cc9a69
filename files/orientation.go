package files

import (
	"image"

	"golang.org/x/image/draw"
)

// orientation is how a picture is stored, as EXIF numbers it: 1 is upright, 2 mirrored, 3 upside down, 4 both, and
// 5 to 8 are on their side.
type orientation int

func (o orientation) onItsSide() bool { return o >= 5 }

// upright turns a picture. It is the same one when it is upright already.
func (o orientation) upright(stored *image.RGBA) *image.RGBA {
	if o <= 1 {
		return stored
	}
	w, h := stored.Rect.Dx(), stored.Rect.Dy()
	size := image.Pt(w, h)
	if o.onItsSide() {
		size = image.Pt(h, w)
	}
	turned := image.NewRGBA(image.Rectangle{Max: size})
	for y := range size.Y {
		for x := range size.X {
			from := o.from(x, y, w, h)
			copy(turned.Pix[turned.PixOffset(x, y):][:4], stored.Pix[stored.PixOffset(from.X, from.Y):][:4])
		}
	}
	return turned
}

// from is where a pixel of the upright picture is in the stored one of that size.
func (o orientation) from(x, y, w, h int) image.Point {
	switch o {
	case 2:
		return image.Pt(w-1-x, y)
	case 3:
		return image.Pt(w-1-x, h-1-y)
	case 4:
		return image.Pt(x, h-1-y)
	case 5:
		return image.Pt(y, x)
	case 6:
		return image.Pt(y, h-1-x)
	case 7:
		return image.Pt(w-1-y, h-1-x)
	case 8:
		return image.Pt(w-1-y, x)
	}
	return image.Pt(x, y)
}

// shrink makes a picture fit into a box, never larger than it is. It goes by way of twice the size where it can,
// which keeps fine lines from breaking up.
func shrink(picture image.Image, box image.Point) *image.RGBA {
	b := picture.Bounds()
	size := fit(b.Size(), box)
	if b.Dx() < 2*size.X || b.Dy() < 2*size.Y {
		return redrawn(picture, size)
	}
	return redrawn(redrawn(picture, size.Mul(2)), size)
}

func redrawn(picture image.Image, size image.Point) *image.RGBA {
	small := image.NewRGBA(image.Rectangle{Max: size})
	draw.Draw(small, small.Rect, paper, image.Point{}, draw.Src) // behind what is transparent
	draw.ApproxBiLinear.Scale(small, small.Rect, picture, picture.Bounds(), draw.Over, nil)
	return small
}

// fit is the largest size within the box that keeps the proportions.
func fit(size, box image.Point) image.Point {
	w, h := box.X, size.Y*box.X/size.X
	if h > box.Y {
		w, h = size.X*box.Y/size.Y, box.Y
	}
	if w > size.X {
		w, h = size.X, size.Y
	}
	return image.Pt(max(1, w), max(1, h))
}
