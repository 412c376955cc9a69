package kit

import (
	"strings"

	"github.com/slack-go/slack"
)

// AsMessage is a modal's content as a message, for when the modal is gone: its
// words and buttons stay, and what was typed into it is quoted. What one message has no
// room for is left out, and that is said: [AsMessages] leaves out nothing.
func AsMessage(view slack.ModalViewRequest) Message {
	p, whole := &Page{}, true
	for _, block := range withoutInputs(view, false) {
		if words := WordsIn(block); words == "" || p.Fits(len(words)) {
			p.Add(block, words)
		} else {
			whole = false
		}
	}
	if !whole {
		p.Line(RestTooLong)
	}
	return titled(p, view)
}

// AsMessages is [AsMessage] in as many messages as the words need; the buttons come last.
func AsMessages(view slack.ModalViewRequest) []Message {
	pages := []*Page{{}}
	for _, block := range withoutInputs(view, true) {
		words := WordsIn(block)
		if words != "" && !pages[len(pages)-1].Fits(len(words)) {
			pages = append(pages, &Page{})
		}
		pages[len(pages)-1].Add(block, words)
	}
	return Map(pages, func(_ int, p *Page) Message { return titled(p, view) })
}

// withoutInputs are a view's blocks with what was typed in the place of its inputs: all of it, or
// what one message holds.
func withoutInputs(view slack.ModalViewRequest, all bool) []slack.Block {
	var blocks []slack.Block
	for _, block := range view.Blocks.BlockSet {
		if block.BlockType() == slack.MBTImage { // the form's: its boxes are gone
			continue
		}
		if alert, is := block.(*slack.AlertBlock); is {
			block = paragraphOf(alert)
		}
		if input, is := block.(*slack.InputBlock); is {
			p := &Page{Wide: all}
			addInput(p, input)
			blocks = append(blocks, p.Blocks...)
		} else if block.BlockType() != slack.MBTLayout { // its pictures are links, too
			blocks = append(blocks, withoutMenu(block))
		}
	}
	return blocks
}

// withoutMenu is a paragraph without the menu beside it: that changes the form, which is gone.
func withoutMenu(block slack.Block) slack.Block {
	section, is := block.(*slack.SectionBlock)
	if !is || section.Accessory == nil || section.Accessory.SelectElement == nil {
		return block
	}
	bare := *section
	bare.Accessory = nil
	return &bare
}

// titled is the message, which has the title of its modal when it would say nothing.
func titled(p *Page, view slack.ModalViewRequest) Message {
	if len(p.Words) == 0 && view.Title != nil {
		p.Say("*" + EscapeTo(view.Title.Text, maxTitle) + "*")
	}
	return p.Message()
}

// addInput shows an input's value under its label; nothing when it is empty.
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

// WordsIn are the words of a paragraph or a note, "" of any other block.
func WordsIn(block slack.Block) string {
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
