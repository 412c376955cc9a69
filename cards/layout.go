package cards

import (
	"slices"
	"strconv"
	"strings"

	"darkroom/cards/kit"
	"darkroom/order"

	"github.com/slack-go/slack"
)

// A sheet is a layout block: at most five rows of three pictures
// (docs.slack.dev/reference/block-kit/blocks/layout-block). Every picture counts as a block of the message.
// Older clients show the block's fallback.
const (
	sheetRows    = 5
	SheetColumns = 3
	maxSheet     = 30 // pictures of one message; a modal shows all of an order
	MaxCaption   = 80 // characters of a picture's title, and of its name in a list of links
	maxLayout    = 150
)

// Tile is one picture of a sheet.
type Tile struct {
	Number int
	note   string // follows its name: "before"
	asked  string // its own instruction
	Image  order.EditedImage
}

func (i Tile) name() string {
	return strconv.Itoa(i.Number) + " · " + kit.Plain(ImageName(i.Image), MaxCaption) + kit.Prefixed(", ", i.note)
}

// alt says what the picture shows.
func (i Tile) alt() string {
	return kit.Either(i.note == "before", "Edit before the changes: ", "Edited photo: ") + i.title()
}

// title returns the tile's name and own instruction.
func (i Tile) title() string { return i.name() + kit.Prefixed(": ", kit.Plain(i.asked, MaxOwn)) }

// addSheet adds images as pictures, three to a row, and links to their full size. It returns how many images
// it added.
func addSheet(p *kit.Page, g Album, from int, thumbs Thumbs) int {
	n := min(sheetRows*SheetColumns, len(g.Images)-from)
	if !p.Wide {
		n = min(n, maxSheet-from)
	}
	for ; n > 0; n -= SheetColumns {
		var tiles []Tile
		for i, image := range g.Images[from : from+n] {
			if thumbs.Shows(image) {
				tiles = append(tiles, Tile{Number: from + i + 1, Image: image, asked: g.Of(from + i)})
			}
		}
		links := lines("Full size: ", kit.Map(g.Images[from:from+n], func(i int, image order.EditedImage) string { return imageLink(from+i+1, image) }))
		if len(tiles) > 0 && AddLayout(p, sheetLabel(from, n), RowsOf(tiles), thumbs, links) {
			return n
		}
	}
	return 0
}

func sheetLabel(from, n int) string {
	if n == 1 {
		return "Photo " + strconv.Itoa(from+1)
	}
	return "Photos " + strconv.Itoa(from+1) + " to " + strconv.Itoa(from+n)
}

// RowsOf arranges tiles three to a row.
func RowsOf(tiles []Tile) [][]Tile { return slices.Collect(slices.Chunk(tiles, SheetColumns)) }

// AddLayout adds at least one row of pictures, then notes. It returns false if they do not fit together.
func AddLayout(p *kit.Page, label string, rows [][]Tile, thumbs Thumbs, notes []string) bool {
	block, older := slack.NewLayoutBlock(kit.Plain(label, maxLayout)), []slack.Block{}
	size, pictures := len(label), 0
	for _, tiles := range rows {
		row := slack.NewLayoutRow()
		for _, one := range tiles {
			row.AddItem(slack.NewLayoutItem(thumbs.block(one)))
			section, bytes := thumbs.section(one)
			older = append(older, section)
			if p.Wide {
				size += (kit.Encoded(thumbs.block(one)) + kit.Encoded(section)) / 2 // as encoded; for other text, maxModal assumes that JSON doubles it
			} else {
				size += len(one.title()) + bytes
			}
			pictures++
		}
		block.AddRow(row)
	}
	if !p.RoomFor(size+kit.BytesOf(notes), 1+pictures+len(notes)) {
		return false
	}
	p.Put(block.WithFallback(older...))
	p.Size += size
	return p.Notes(notes)
}

// block returns one picture of a layout.
func (t Thumbs) block(one Tile) slack.Block {
	title := one.title()
	shown := t.Element(one.Image, title)
	return &slack.ImageBlock{
		Type: slack.MBTImage, AltText: one.alt(), Title: kit.PlainText(title),
		ImageURL: kit.Deref(shown.ImageURL), SlackFile: shown.SlackFile,
	}
}

// EditAlt describes the picture of an edited photo.
func EditAlt(number int, image order.EditedImage) string {
	return "Edited photo " + kit.Plain(ImageLabel(number, image), kit.MaxAlt-20)
}

// Untitled returns a picture without a title, for places that show its name already.
func (t Thumbs) Untitled(one Tile) slack.Block {
	shown := t.Element(one.Image, one.title())
	return &slack.ImageBlock{Type: slack.MBTImage, AltText: one.alt(), ImageURL: kit.Deref(shown.ImageURL), SlackFile: shown.SlackFile}
}

// section returns a picture beside its name, for clients without layouts, and its text size in bytes.
func (t Thumbs) section(one Tile) (slack.Block, int) {
	text := kit.EscapeTo(one.name(), -1) + kit.Prefixed("\n> ", kit.Inline(one.asked, MaxOwn))
	return slack.NewSectionBlock(kit.Mrkdwn(text), nil, slack.NewAccessory(t.Element(one.Image, one.alt()))), len(text)
}

// addStack adds the pictures one below the other, then notes.
func addStack(p *kit.Page, rows [][]Tile, thumbs Thumbs, notes []string) bool {
	var blocks []slack.Block
	size := 0
	for _, one := range slices.Concat(rows...) {
		section, bytes := thumbs.section(one)
		blocks = append(blocks, section)
		size += bytes
	}
	if !p.RoomFor(size+kit.BytesOf(notes), len(blocks)+len(notes)) {
		return false
	}
	p.Put(blocks...)
	p.Size += size
	return p.Notes(notes)
}

// lines joins items with commas into as many lines as they need. Each begins with lead.
func lines(lead string, items []string) []string {
	var all []string
	line := lead
	for _, item := range items {
		if line != lead && kit.Units(line+item) > kit.MaxSection-100 {
			all, line = append(all, strings.TrimSuffix(line, ", ")), lead
		}
		line += item + ", "
	}
	return append(all, strings.TrimSuffix(line, ", "))
}

// imageLink returns an image's number and name, linked to its full size.
func imageLink(number int, image order.EditedImage) string {
	return fullLink(image, numberedName(number, image))
}

// numberedName returns an image's number and name as safe text.
func numberedName(number int, image order.EditedImage) string {
	return strconv.Itoa(number) + " · " + kit.Inline(ImageName(image), MaxCaption)
}

// fullLink links to an image in full size. It leaves out URLs that are too long.
func fullLink(image order.EditedImage, label string) string {
	if linked := kit.Link(image.Origin, label); kit.Units(linked) <= kit.MaxSection/3 {
		return linked
	}
	return label
}
