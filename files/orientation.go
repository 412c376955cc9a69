package files

import (
	"image"

	"golang.org/x/image/draw"
)

// orientation is how a picture is stored, in EXIF's numbers: 1 upright, 2 mirrored, 3 upside down, 4 both. 5 to 8 lie
// on their side.
type orientation int

func (o orientation) onItsSide() bool { return o >= 5 }

// upright returns the picture turned upright: the same picture if it is upright already.
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
			from := o.storedAt(x, y, w, h)
			copy(turned.Pix[turned.PixOffset(x, y):][:4], stored.Pix[stored.PixOffset(from.X, from.Y):][:4])
		}
	}
	return turned
}

// storedAt returns where the stored picture of size w × h has the pixel at x, y of the upright one.
func (o orientation) storedAt(x, y, w, h int) image.Point {
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

// scaler scales a picture to a size, or to fit into it.
type scaler func(picture image.Image, size image.Point) *image.RGBA

// shrink scales a picture down to fit into a box. It scales large pictures in two steps, which keeps fine lines whole.
func shrink(picture image.Image, box image.Point) *image.RGBA {
	b := picture.Bounds()
	size := fit(b.Size(), box)
	if b.Dx() < 2*size.X || b.Dy() < 2*size.Y {
		return redraw(picture, size)
	}
	return redraw(redraw(picture, size.Mul(2)), size)
}

func redraw(picture image.Image, size image.Point) *image.RGBA {
	small := image.NewRGBA(image.Rectangle{Max: size})
	draw.Draw(small, small.Rect, paper, image.Point{}, draw.Src) // shows behind transparent pixels
	draw.ApproxBiLinear.Scale(small, small.Rect, picture, picture.Bounds(), draw.Over, nil)
	return small
}

// stretch scales a picture to a size, whatever its proportions. Every pixel counts.
func stretch(picture image.Image, size image.Point) *image.RGBA {
	small := image.NewRGBA(image.Rectangle{Max: size})
	draw.BiLinear.Scale(small, small.Rect, picture, picture.Bounds(), draw.Src, nil)
	return small
}

// fit returns the largest size within the box that keeps the proportions and does not enlarge the picture.
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
