package files

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	encoder "image/jpeg"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/image/draw"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// The measures of a contact sheet, in pixels: on a phone it is about a third as wide, and its words are as large as
// those of a message.
const (
	sheetWidth  = 1200
	sheetMargin = 12
	tileWidth   = (sheetWidth - 3*sheetMargin) / 2
	tileHeight  = 440
	tileLeast   = 150 // of a row without pictures
	labelHeight = 56
	labelSize   = 36
	captionSize = 28
)

// maxSheetBytes is what a sheet has at most.
const maxSheetBytes = 1 << 20

var (
	paper = image.NewUniform(color.White)
	ink   = image.NewUniform(color.Gray{0x20})
	pale  = image.NewUniform(color.Gray{0x70})
	blank = image.NewUniform(color.Gray{0xe4})
)

// drawnRow is a row whose pictures are there; nil: there is none to show.
type drawnRow struct {
	label  string
	titles [2]string
	tiles  [2]*image.RGBA
}

// height is what the row takes below its label.
func (r drawnRow) height() int {
	most := tileLeast
	for _, tile := range r.tiles {
		if tile != nil {
			most = max(most, tile.Rect.Dy())
		}
	}
	return most
}

// drawSheet puts rows below each other.
func drawSheet(rows []drawnRow) (*image.RGBA, error) {
	pens, err := newPens()
	if err != nil {
		return nil, err
	}
	height := sheetMargin
	for _, row := range rows {
		height += labelHeight + row.height() + sheetMargin
	}
	sheet := image.NewRGBA(image.Rect(0, 0, sheetWidth, height))
	draw.Draw(sheet, sheet.Rect, paper, image.Point{}, draw.Src)
	y := sheetMargin
	for _, row := range rows {
		pens.row(sheet, row, y)
		y += labelHeight + row.height() + sheetMargin
	}
	return sheet, nil
}

// pens write.
type pens struct{ label, caption font.Face }

// fonts are read once; they come with the library.
var fonts = sync.OnceValues(func() ([2]*opentype.Font, error) {
	bold, err := opentype.Parse(gobold.TTF)
	if err != nil {
		return [2]*opentype.Font{}, err
	}
	regular, err := opentype.Parse(goregular.TTF)
	return [2]*opentype.Font{bold, regular}, err
})

func newPens() (p pens, err error) {
	both, err := fonts()
	if err != nil {
		return p, fmt.Errorf("fonts: %w", err)
	}
	if p.label, err = opentype.NewFace(both[0], &opentype.FaceOptions{Size: labelSize, DPI: 72}); err != nil {
		return p, fmt.Errorf("fonts: %w", err)
	}
	if p.caption, err = opentype.NewFace(both[1], &opentype.FaceOptions{Size: captionSize, DPI: 72}); err != nil {
		return p, fmt.Errorf("fonts: %w", err)
	}
	return p, nil
}

// row draws one image's two pictures side by side, under its number and name.
func (p pens) row(sheet *image.RGBA, row drawnRow, y int) {
	for i, tile := range row.tiles {
		x := sheetMargin + i*(tileWidth+sheetMargin)
		caption := font.MeasureString(p.caption, row.titles[i]).Ceil()
		if i == 0 {
			write(sheet, p.label, ink, row.label, image.Pt(x, y+labelSize), tileWidth-caption-2*sheetMargin)
		}
		write(sheet, p.caption, pale, row.titles[i], image.Pt(x+tileWidth-caption, y+labelSize), caption)
		at := image.Rect(x, y+labelHeight, x+tileWidth, y+labelHeight+row.height())
		if tile == nil {
			p.empty(sheet, row, at)
			continue
		}
		size := tile.Rect.Size()
		corner := at.Min.Add(image.Pt((at.Dx()-size.X)/2, (at.Dy()-size.Y)/2))
		draw.Draw(sheet, image.Rectangle{corner, corner.Add(size)}, tile, image.Point{}, draw.Src)
	}
}

// empty stands for a picture that cannot be shown, and says of which.
func (p pens) empty(sheet *image.RGBA, row drawnRow, at image.Rectangle) {
	draw.Draw(sheet, at, blank, image.Point{}, draw.Src)
	for i, words := range []string{row.label, "cannot be shown here"} {
		words = cutTo(p.caption, words, at.Dx()-4*sheetMargin)
		x := (at.Min.X + at.Max.X - font.MeasureString(p.caption, words).Ceil()) / 2
		write(sheet, p.caption, pale, words, image.Pt(x, (at.Min.Y+at.Max.Y)/2+i*(captionSize+sheetMargin)), at.Dx())
	}
}

// write puts words on a line, as many as find room.
func write(sheet *image.RGBA, face font.Face, pen image.Image, words string, at image.Point, width int) {
	drawer := font.Drawer{Dst: sheet, Src: pen, Face: face, Dot: fixed.P(at.X, at.Y)}
	drawer.DrawString(cutTo(face, words, width))
}

// mostRunes of a name are looked at: no more have room on a line.
const mostRunes = 200

// cutTo leaves out what has no room, and what cannot be seen.
func cutTo(face font.Face, words string, width int) string {
	runes := []rune(strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return -1
	}, words))
	whole := len(runes) <= mostRunes
	runes = runes[:min(mostRunes, len(runes))]
	for shown := string(runes); ; shown = string(runes) + "…" {
		if !whole {
			shown, whole = string(runes)+"…", true
		}
		if len(runes) == 0 || font.MeasureString(face, shown).Ceil() <= width {
			return shown
		}
		runes = runes[:len(runes)-1]
	}
}

// encodeSheet writes it as a JPEG, the better the less there is on it.
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
