package files

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"math"
	"strconv"

	"golang.org/x/image/draw"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
)

// The measures of a marked picture, in pixels.
const (
	markedBox    = 1400 // the longer side of the whole picture before it is cropped
	markRadius   = 26
	markSize     = 34 // of a number
	markRim      = 4
	markedMargin = 4 // a crop has a margin of a 4th of the picture around its marks
)

var markFill = image.NewUniform(color.RGBA{0xc6, 0x28, 0x28, 0xff})

// Mark is a place on a picture, in thousandths of its width and height, from the left and from the top.
type Mark struct{ X, Y int }

// MarkPicture draws numbered marks on a picture and crops it around them: a JPEG of a megabyte at most. It takes the first
// of the places that can be shown; the error is [ErrNotPicture] if none can. The caller has a slot of [Sheets.Begin].
func (s *Sheets) MarkPicture(ctx context.Context, from []Photo, marks []Mark) ([]byte, error) {
	picture := s.tile(ctx, SheetPicture{From: from}, image.Pt(markedBox, markedBox))
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if picture == nil {
		return nil, fmt.Errorf("marked picture: %w: it cannot be shown", ErrNotPicture)
	}
	around, err := drawMarks(picture, marks)
	if err != nil {
		return nil, fmt.Errorf("marked picture: %w", err)
	}
	return encodeSheet(picture.SubImage(marginAround(around, picture.Rect)))
}

// drawMarks draws marks, numbered from 1, and returns the smallest part of the picture that has their places.
func drawMarks(picture *image.RGBA, marks []Mark) (around image.Rectangle, err error) {
	face, err := newFace(gobold.TTF, markSize)
	if err != nil {
		return around, err
	}
	for i, mark := range marks {
		at := mark.in(picture.Rect)
		drawMark(picture, face, at, strconv.Itoa(i+1))
		around = around.Union(image.Rectangle{at, at.Add(image.Pt(1, 1))})
	}
	return around, nil
}

// in returns the pixel of a mark.
func (m Mark) in(r image.Rectangle) image.Point {
	at := image.Pt(r.Min.X+r.Dx()*m.X/1000, r.Min.Y+r.Dy()*m.Y/1000)
	return image.Pt(min(at.X, r.Max.X-1), min(at.Y, r.Max.Y-1))
}

// marginAround returns the part to show around marks. It may reach over the picture.
func marginAround(marks, picture image.Rectangle) image.Rectangle {
	x, y := max(picture.Dx()/markedMargin, 2*markRadius), max(picture.Dy()/markedMargin, 2*markRadius)
	return image.Rect(marks.Min.X-x, marks.Min.Y-y, marks.Max.X+x, marks.Max.Y+y)
}

// drawMark draws a disc with a number. The disc stays within the picture.
func drawMark(picture *image.RGBA, face font.Face, at image.Point, number string) {
	inside := picture.Rect.Inset(markRadius + markRim)
	if !inside.Empty() {
		at = image.Pt(min(max(at.X, inside.Min.X), inside.Max.X), min(max(at.Y, inside.Min.Y), inside.Max.Y))
	}
	disc{at, markRadius + markRim}.draw(picture, paper)
	disc{at, markRadius}.draw(picture, markFill)
	width := font.MeasureString(face, number).Ceil()
	write(picture, face, paper, number, at.Add(image.Pt(-width/2, markSize*3/8)), 2*markRadius)
}

// disc is the mask of a circle.
type disc struct {
	at     image.Point
	radius int
}

func (d disc) ColorModel() color.Model { return color.AlphaModel }

func (d disc) Bounds() image.Rectangle {
	return image.Rect(d.at.X-d.radius, d.at.Y-d.radius, d.at.X+d.radius+1, d.at.Y+d.radius+1)
}

// At returns how much of a pixel the circle covers.
func (d disc) At(x, y int) color.Color {
	covered := float64(d.radius) + 0.5 - math.Hypot(float64(x-d.at.X), float64(y-d.at.Y))
	return color.Alpha{uint8(255 * min(1, max(0, covered)))}
}

func (d disc) draw(on *image.RGBA, pen image.Image) {
	draw.DrawMask(on, d.Bounds(), pen, image.Point{}, d, d.Bounds().Min, draw.Over)
}
