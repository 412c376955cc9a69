package kit

import (
	"slices"
	"strings"

	"github.com/slack-go/slack"
)

// AsMessage turns a modal into one message, for a modal that is no longer open. It keeps text and buttons and
// quotes typed input. It says if text did not fit; [AsMessages] keeps all text.
func AsMessage(view slack.ModalViewRequest) Message {
	p, whole := &Page{}, true
	for _, block := range withoutInputs(view, false) {
		if words := TextIn(block); p.Fits(len(words)) {
			p.Add(block, words)
		} else {
			whole = whole && words == ""
		}
	}
	if !whole {
		p.Line(RestTooLong)
	}
	return titled(p, view)
}

// AsMessages turns a modal into as many messages as its text needs. The buttons come last.
func AsMessages(view slack.ModalViewRequest) []Message {
	pages := []*Page{{}}
	for _, block := range withoutInputs(view, true) {
		words := TextIn(block)
		if !pages[len(pages)-1].Fits(len(words)) {
			pages = append(pages, &Page{})
		}
		pages[len(pages)-1].Add(block, words)
	}
	return Map(pages, func(_ int, p *Page) Message { return titled(p, view) })
}

// withoutInputs returns a view's blocks with each input replaced by its value. all keeps long values whole;
// otherwise one message must hold them.
func withoutInputs(view slack.ModalViewRequest, all bool) []slack.Block {
	var blocks []slack.Block
	for _, block := range view.Blocks.BlockSet {
		if block.BlockType() == slack.MBTImage { // the input below it is replaced by text
			continue
		}
		if alert, ok := block.(*slack.AlertBlock); ok {
			block = paragraphOf(alert)
		}
		if input, ok := block.(*slack.InputBlock); ok {
			p := &Page{Wide: all}
			addInput(p, input)
			blocks = append(blocks, p.Blocks...)
		} else if block.BlockType() != slack.MBTLayout && !onlyTicks(block) { // the text links to the same pictures
			blocks = append(blocks, withoutMenu(block))
		}
	}
	return blocks
}

// onlyTicks reports whether a block has checkboxes alone. They change a form that is no longer open.
func onlyTicks(block slack.Block) bool {
	row, ok := block.(*slack.ActionBlock)
	return ok && !slices.ContainsFunc(row.Elements.ElementSet, func(e slack.BlockElement) bool { return e.ElementType() != slack.METCheckboxGroups })
}

// withoutMenu returns a section without its menu, which changes a form that is no longer open.
func withoutMenu(block slack.Block) slack.Block {
	section, ok := block.(*slack.SectionBlock)
	if !ok || section.Accessory == nil || section.Accessory.SelectElement == nil {
		return block
	}
	return bare(section)
}

// titled returns the page as a message. An empty page shows the modal's title.
func titled(p *Page, view slack.ModalViewRequest) Message {
	if len(p.Words) == 0 && view.Title != nil {
		p.Say("*" + EscapeTo(view.Title.Text, maxTitle) + "*")
	}
	return p.Message()
}

// addInput shows an input's label and value, or nothing if the value is empty.
func addInput(p *Page, b *slack.InputBlock) {
	value := ""
	switch box := b.Element.(type) {
	case *slack.PlainTextInputBlockElement:
		value = box.InitialValue
	case *slack.RadioButtonsBlockElement:
		if box.InitialOption != nil {
			value = box.InitialOption.Text.Text
		}
	case *slack.SelectBlockElement:
		if box.InitialOption != nil {
			value = box.InitialOption.Text.Text
		}
		if box.InitialConversation != "" {
			p.Say(Inline(b.Label.Text, MaxLabel) + ": " + ChannelLink(box.InitialConversation))
		}
	}
	p.Typed(Inline(b.Label.Text, MaxLabel)+":", value)
}

// TextIn returns the text of a section or context block, "" for other blocks.
func TextIn(block slack.Block) string {
	var words []string
	switch b := block.(type) {
	case *slack.SectionBlock:
		if b.Text != nil {
			words = append(words, b.Text.Text)
		}
		for _, field := range b.Fields {
			words = append(words, strings.ReplaceAll(field.Text, "*\n", ":* "))
		}
	case *slack.ContextBlock:
		for _, element := range b.ContextElements.Elements {
			if text, ok := element.(*slack.TextBlockObject); ok {
				words = append(words, text.Text)
			}
		}
	}
	return strings.Join(words, "\n")
}
