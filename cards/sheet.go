package cards

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"darkroom/order"

	"github.com/slack-go/slack"
)

// A sheet shows pictures side by side, in Slack's layout block: at most five rows of three
// (docs.slack.dev/reference/block-kit/blocks/layout-block). Every picture counts towards the
// blocks of its message. A client that does not know the block shows its fallback.
const (
	sheetRows  = 5
	sheetWide  = 3
	maxSheet   = 30 // pictures of one message; a modal shows all of an order's
	maxCaption = 80 // a picture's title, and its name in a list of links
	maxLayout  = 150
)

// tile is one picture of a sheet.
type tile struct {
	number int
	note   string // behind its name: "before"
	asked  string // what was asked for it alone
	image  order.EditedImage
}

func (i tile) name() string {
	return strconv.Itoa(i.number) + " · " + plain(imageName(i.image), maxCaption) + led(", ", i.note)
}

// title is its name and what was asked for it.
func (i tile) title() string { return i.name() + led(": ", plain(i.asked, maxOwn)) }

// sheet adds images as pictures, three to a row, and a line with a link to each in full size. It
// tells how many of the images, from the first, it has added.
func (p *builder) sheet(g album, from int, thumbs Thumbs) int {
	n := min(sheetRows*sheetWide, len(g.images)-from)
	if !p.wide {
		n = min(n, maxSheet-from)
	}
	for ; n > 0; n -= sheetWide {
		var tiles []tile
		for i, image := range g.images[from : from+n] {
			if thumbs.shows(image) {
				tiles = append(tiles, tile{number: from + i + 1, image: image, asked: g.of(from + i)})
			}
		}
		links := fullSize(g.images[from:from+n], from)
		if len(tiles) > 0 && p.layout(sheetLabel(from, n), rowsOf(tiles), thumbs, links) {
			return n
		}
	}
	return 0
}

func sheetLabel(from, n int) string {
	if n == 1 {
		return "Image " + strconv.Itoa(from+1)
	}
	return "Images " + strconv.Itoa(from+1) + " to " + strconv.Itoa(from+n)
}

// rowsOf puts tiles three to a row.
func rowsOf(tiles []tile) [][]tile {
	var rows [][]tile
	for len(tiles) > 0 {
		n := min(sheetWide, len(tiles))
		rows, tiles = append(rows, tiles[:n]), tiles[n:]
	}
	return rows
}

// layout adds rows of pictures, at least one, with the notes that follow; false when there is no room
// for all of it.
func (p *builder) layout(label string, rows [][]tile, thumbs Thumbs, notes []string) bool {
	block, older := slack.NewLayoutBlock(plain(label, maxLayout)), []slack.Block{}
	size, pictures := len(label), 0
	for _, tiles := range rows {
		row := slack.NewLayoutRow()
		for _, one := range tiles {
			row.AddItem(slack.NewLayoutItem(thumbs.block(one)))
			section, bytes := thumbs.section(one)
			older = append(older, section)
			if p.wide {
				size += (encoded(thumbs.block(one)) + encoded(section)) / 2 // all other text may double on its way, this is how it will be
			} else {
				size += len(one.title()) + bytes
			}
			pictures++
		}
		block.AddRow(row)
	}
	if !p.roomFor(size+bytesOf(notes), 1+pictures+len(notes)) {
		return false
	}
	p.put(block.WithFallback(older...))
	p.size += size
	return p.notes(notes)
}

// encoded is how many bytes a block takes on its way to Slack.
func encoded(block slack.Block) int {
	raw, err := json.Marshal(block)
	if err != nil {
		return maxModal
	}
	return len(raw)
}

// block is one picture of a layout.
func (t Thumbs) block(one tile) slack.Block {
	title := one.title()
	shown := t.element(one.image, title)
	return &slack.ImageBlock{
		Type: slack.MBTImage, AltText: title, Title: plainText(title),
		ImageURL: deref(shown.ImageURL), SlackFile: shown.SlackFile,
	}
}

// untitled is one picture alone, for where its name stands already.
func (t Thumbs) untitled(one tile) slack.Block {
	shown := t.element(one.image, one.title())
	return &slack.ImageBlock{Type: slack.MBTImage, AltText: plain(imageLabel(one.number, one.image), maxAlt), ImageURL: deref(shown.ImageURL), SlackFile: shown.SlackFile}
}

// section is one picture beside its name, for where there are no layouts, and the bytes of its text.
func (t Thumbs) section(one tile) (slack.Block, int) {
	text := escape(one.name(), -1) + led("\n> ", inline(one.asked, maxOwn))
	return slack.NewSectionBlock(mrkdwn(text), nil, slack.NewAccessory(t.element(one.image, one.name()))), len(text)
}

// stack adds the same pictures one below the other, each beside its name, with the notes that follow.
func (p *builder) stack(rows [][]tile, thumbs Thumbs, notes []string) bool {
	var blocks []slack.Block
	size := 0
	for _, one := range slices.Concat(rows...) {
		section, bytes := thumbs.section(one)
		blocks = append(blocks, section)
		size += bytes
	}
	if !p.roomFor(size+bytesOf(notes), len(blocks)+len(notes)) {
		return false
	}
	p.put(blocks...)
	p.size += size
	return p.notes(notes)
}

// fullSize links to images: "Full size: 1 · beach.jpg, 2 · dunes.jpg". The first image has the
// number behind from.
func fullSize(images []order.EditedImage, from int) []string {
	return lines("Full size: ", each(images, func(i int, image order.EditedImage) string { return imageLink(from+i+1, image) }))
}

// lines puts items behind one another, with commas, in as many lines as they need.
func lines(lead string, items []string) []string {
	var all []string
	line := lead
	for _, item := range items {
		if line != lead && units(line+item) > maxSection-100 {
			all, line = append(all, strings.TrimSuffix(line, ", ")), lead
		}
		line += item + ", "
	}
	return append(all, strings.TrimSuffix(line, ", "))
}

// imageLink is an image's number and name, and leads to it in full size.
func imageLink(number int, image order.EditedImage) string {
	return fullLink(image, strconv.Itoa(number)+" · "+inline(imageName(image), maxCaption))
}

// fullLink leads to an image in full size; an address that would leave no room for others is left out.
func fullLink(image order.EditedImage, label string) string {
	if linked := link(image.Origin, label); units(linked) <= maxSection/3 {
		return linked
	}
	return label
}

// bytesOf is the size of texts together.
func bytesOf(texts []string) int {
	n := 0
	for _, text := range texts {
		n += len(text)
	}
	return n
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// blocksIn counts blocks as Slack does, those within others too.
func blocksIn(blocks []slack.Block) int {
	n := len(blocks)
	for _, block := range blocks {
		if layout, is := block.(*slack.LayoutBlock); is {
			for _, row := range layout.Rows {
				n += len(row.Items)
			}
		}
	}
	return n
}
