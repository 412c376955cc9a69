package kit

import (
	"slices"

	"github.com/slack-go/slack"
)

// paragraphOf returns an alert as a section, for surfaces without alerts.
func paragraphOf(b *slack.AlertBlock) *slack.SectionBlock {
	return slack.NewSectionBlock(Mrkdwn(Warning+b.Text.Text), nil, nil)
}

// Older replaces blocks that an older Slack refuses: layouts by their fallback, alerts by sections.
func Older(blocks []slack.Block) []slack.Block {
	var older []slack.Block
	for _, block := range blocks {
		switch b := block.(type) {
		case *slack.LayoutBlock:
			if b.Fallback != nil {
				older = append(older, b.Fallback.BlockSet...)
			}
		case *slack.AlertBlock:
			older = append(older, paragraphOf(b))
		default:
			older = append(older, block)
		}
	}
	return older
}

// HasPictures reports whether Slack must fetch an image to show the blocks.
func HasPictures(blocks []slack.Block) bool {
	found := false
	WithoutPictures(blocks, func(string) bool { // it is called for each picture
		found = true
		return false
	})
	return found
}

// WithoutPictures removes images, and blocks that would then be empty. gone decides by the image's URL, which
// is "" for a Slack file.
func WithoutPictures(blocks []slack.Block, gone func(address string) bool) []slack.Block {
	var kept []slack.Block
	for _, block := range blocks {
		switch b := block.(type) {
		case *slack.ImageBlock:
			if !gone(b.ImageURL) {
				kept = append(kept, b)
			}
		case *slack.SectionBlock:
			kept = append(kept, withoutAccessory(b, gone))
		case *slack.ContextBlock:
			kept = append(kept, withNames(b, gone))
		case *slack.LayoutBlock:
			if layout := withoutTiles(b, gone); len(layout.Rows) > 0 {
				kept = append(kept, layout)
			}
		default:
			kept = append(kept, block)
		}
	}
	return kept
}

// withoutAccessory removes a section's image if it is gone.
func withoutAccessory(b *slack.SectionBlock, gone func(string) bool) *slack.SectionBlock {
	if b.Accessory == nil || b.Accessory.ImageElement == nil || !gone(Deref(b.Accessory.ImageElement.ImageURL)) {
		return b
	}
	return bare(b)
}

// withNames replaces images of a row that are gone by what they show.
func withNames(b *slack.ContextBlock, gone func(string) bool) *slack.ContextBlock {
	row := *b
	row.ContextElements.Elements = Map(b.ContextElements.Elements, func(_ int, e slack.MixedElement) slack.MixedElement {
		if image, ok := e.(*slack.ImageBlockElement); ok && gone(Deref(image.ImageURL)) {
			return Mrkdwn(Inline(image.AltText, MaxField))
		}
		return e
	})
	return &row
}

// bare returns a section without its accessory.
func bare(section *slack.SectionBlock) *slack.SectionBlock {
	alone := *section
	alone.Accessory = nil
	return &alone
}

// withoutTiles removes images from a layout and from its fallback.
func withoutTiles(b *slack.LayoutBlock, gone func(string) bool) *slack.LayoutBlock {
	layout := *b
	layout.Rows = nil
	for _, row := range b.Rows {
		items := slices.DeleteFunc(slices.Clone(row.Items), func(item *slack.LayoutItem) bool {
			return len(WithoutPictures([]slack.Block{item.Block}, gone)) == 0
		})
		if len(items) > 0 {
			layout.Rows = append(layout.Rows, &slack.LayoutRow{Items: items})
		}
	}
	if b.Fallback != nil {
		layout.Fallback = &slack.Blocks{BlockSet: WithoutPictures(b.Fallback.BlockSet, gone)}
	}
	return &layout
}

// Deref returns the string, or "" for nil.
func Deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
