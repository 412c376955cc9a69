package files

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	encoder "image/jpeg"
	"strings"
	"unicode"

	"golang.org/x/image/draw"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// The measures of a contact sheet, in pixels. A phone shows it about a third as wide, so its text is as large as
// that of a message.
const (
	sheetWidth    = 1200
	sheetMargin   = 12
	tileHeight    = 440
	minTileHeight = 150 // height of a row without pictures
	headHeight    = 100 // of a row's label and the titles below it
	labelSize     = 36
	captionSize   = 34
	titleLine     = 84 // where the titles stand, below the top of a row
)

// tileWidth returns the width of each of n pictures side by side.
func tileWidth(n int) int { return (sheetWidth - (n+1)*sheetMargin) / max(1, n) }

// maxSheetBytes bounds the JPEG.
const maxSheetBytes = 1 << 20

var (
	paper = image.NewUniform(color.White)
	ink   = image.NewUniform(color.Gray{0x20})
	pale  = image.NewUniform(color.Gray{0x70})
	blank = image.NewUniform(color.Gray{0xe4})
)

// drawnRow is a row with decoded pictures.
type drawnRow struct {
	label    string
	pictures []drawnPicture
}

type drawnPicture struct {
	title string
	tile  *image.RGBA // nil: cannot be shown
}

// lacksNewest reports whether the last picture of the row cannot be shown.
func (r drawnRow) lacksNewest() bool {
	return len(r.pictures) == 0 || r.pictures[len(r.pictures)-1].tile == nil
}

// height returns the height below the titles.
func (r drawnRow) height() int {
	most := minTileHeight
	for _, picture := range r.pictures {
		if picture.tile != nil {
			most = max(most, picture.tile.Rect.Dy())
		}
	}
	return most
}

// drawSheet draws the rows below each other.
func drawSheet(rows []drawnRow) (*image.RGBA, error) {
	pens, err := newPens()
	if err != nil {
		return nil, err
	}
	height := sheetMargin
	for _, row := range rows {
		height += headHeight + row.height() + sheetMargin
	}
	sheet := image.NewRGBA(image.Rect(0, 0, sheetWidth, height))
	draw.Draw(sheet, sheet.Rect, paper, image.Point{}, draw.Src)
	y := sheetMargin
	for _, row := range rows {
		pens.row(sheet, row, y)
		y += headHeight + row.height() + sheetMargin
	}
	return sheet, nil
}

// pens has the faces of the text.
type pens struct{ label, caption font.Face }

func newPens() (p pens, err error) {
	if p.label, err = newFace(gobold.TTF, labelSize); err != nil {
		return p, err
	}
	p.caption, err = newFace(goregular.TTF, captionSize)
	return p, err
}

// newFace returns a face of a font that comes with the library, at a size in pixels.
func newFace(ttf []byte, size float64) (font.Face, error) {
	parsed, err := opentype.Parse(ttf)
	if err != nil {
		return nil, fmt.Errorf("font: %w", err)
	}
	return opentype.NewFace(parsed, &opentype.FaceOptions{Size: size, DPI: 72})
}

// row draws the pictures of an image side by side, each below its title, and all below the image's label.
func (p pens) row(sheet *image.RGBA, row drawnRow, y int) {
	write(sheet, p.label, ink, row.label, image.Pt(sheetMargin, y+labelSize), sheetWidth-2*sheetMargin)
	width := tileWidth(len(row.pictures))
	for i, picture := range row.pictures {
		x := sheetMargin + i*(width+sheetMargin)
		write(sheet, p.caption, pale, picture.title, image.Pt(x, y+titleLine), width)
		at := image.Rect(x, y+headHeight, x+width, y+headHeight+row.height())
		if picture.tile == nil {
			p.placeholder(sheet, row, at)
			continue
		}
		draw.Draw(sheet, image.Rectangle{at.Min, at.Min.Add(picture.tile.Rect.Size())}, picture.tile, image.Point{}, draw.Src)
	}
}

// placeholder draws a tile that names a picture which cannot be shown.
func (p pens) placeholder(sheet *image.RGBA, row drawnRow, at image.Rectangle) {
	draw.Draw(sheet, at, blank, image.Point{}, draw.Src)
	for i, text := range []string{row.label, "cannot be shown here"} {
		text = fitText(p.caption, text, at.Dx()-4*sheetMargin)
		x := (at.Min.X + at.Max.X - font.MeasureString(p.caption, text).Ceil()) / 2
		write(sheet, p.caption, pale, text, image.Pt(x, (at.Min.Y+at.Max.Y)/2+i*(captionSize+sheetMargin)), at.Dx())
	}
}

// write puts words on a line, as many as find room.
func write(sheet *image.RGBA, face font.Face, pen image.Image, text string, at image.Point, width int) {
	drawer := font.Drawer{Dst: sheet, Src: pen, Face: face, Dot: fixed.P(at.X, at.Y)}
	drawer.DrawString(fitText(face, text, width))
}

// maxRunes is how many characters of a text fit on a line at most.
const maxRunes = 200

// fitText removes invisible characters and cuts the text to the width.
func fitText(face font.Face, text string, width int) string {
	runes := []rune(strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return -1
	}, text))
	end := ""
	if len(runes) > maxRunes {
		runes, end = runes[:maxRunes], "…"
	}
	for len(runes) > 0 && font.MeasureString(face, string(runes)+end).Ceil() > width {
		runes, end = runes[:len(runes)-1], "…"
	}
	return string(runes) + end
}

// encodeSheet encodes the sheet as a JPEG, in the best quality that stays within maxSheetBytes.
func encodeSheet(sheet image.Image) ([]byte, error) {
	var out bytes.Buffer
	for _, quality := range []int{85, 75, 60, 45, 30} {
		out.Reset()
		if err := encoder.Encode(&out, sheet, &encoder.Options{Quality: quality}); err != nil {
			return nil, fmt.Errorf("encode: %w", err)
		}
		if out.Len() <= maxSheetBytes {
			break
		}
	}
	return out.Bytes(), nil
}
