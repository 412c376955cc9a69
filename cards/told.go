package cards

import (
	"strings"
	"time"

	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// Say is a sentence of ours as a message.
func Say(sentence string) Message { return SayWith(sentence, "") }

// SayWith is [Say] with what the person had typed, so that it can be copied.
func SayWith(sentence, words string) Message {
	return says(orElse(cut(sentence, maxSection), "Nothing to show.")).kept("Your words:", words).message()
}

// MetadataTold marks a direct message that answers what a person asked; its payload holds which answer it is.
const MetadataTold = "darkroom_told"

// ToldMetadata marks the message of the answer with that id.
func ToldMetadata(id string) *slack.SlackMetadata {
	return &slack.SlackMetadata{EventType: MetadataTold, EventPayload: map[string]any{"answer": id}}
}

// ToldOf is the id of the answer that a message holds, "" when it holds none. Anybody may write such metadata.
func ToldOf(m slack.Message) string {
	if m.Metadata.EventType != MetadataTold {
		return ""
	}
	return metaText(m.Metadata.EventPayload["answer"])
}

// AsMessage is a modal's content as a message, for when the modal is gone: its
// words and buttons stay, and what was typed into it is quoted. What one message has no
// room for is left out, and that is said: [AsMessages] leaves out nothing.
func AsMessage(view slack.ModalViewRequest) Message {
	p, whole := &builder{}, true
	for _, block := range withoutInputs(view, false) {
		if words := wordsIn(block); words == "" || p.fits(len(words)) {
			p.add(block, words)
		} else {
			whole = false
		}
	}
	if !whole {
		p.line(tooLong)
	}
	return p.titled(view)
}

// AsMessages is [AsMessage] in as many messages as the words need; the buttons come last.
func AsMessages(view slack.ModalViewRequest) []Message {
	pages := []*builder{{}}
	for _, block := range withoutInputs(view, true) {
		words := wordsIn(block)
		if words != "" && !pages[len(pages)-1].fits(len(words)) {
			pages = append(pages, &builder{})
		}
		pages[len(pages)-1].add(block, words)
	}
	return each(pages, func(_ int, p *builder) Message { return p.titled(view) })
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
			p := &builder{wide: all}
			p.typed(input)
			blocks = append(blocks, p.blocks...)
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
func (p *builder) titled(view slack.ModalViewRequest) Message {
	if len(p.words) == 0 && view.Title != nil {
		p.say("*" + escape(view.Title.Text, maxTitle) + "*")
	}
	return p.message()
}

// typed shows an input's value under its label; nothing when it is empty.
func (p *builder) typed(b *slack.InputBlock) {
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
			p.say(inline(b.Label.Text, maxLabel) + ": " + channelLink(box.InitialConversation))
		}
	}
	p.kept(inline(b.Label.Text, maxLabel)+":", value)
}

// wordsIn are the words of a paragraph or a note, "" of any other block.
func wordsIn(block slack.Block) string {
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

// Kept tells the person whose form is gone that the order was refused, why,
// and what was typed.
func Kept(d store.Draft, problems Problems) Message {
	p := &builder{}
	p.unpostable(d)
	p.problems("Your order was not placed, and nothing was charged:", named(d, problems),
		"Everything you typed is kept. Open the form, change what is needed, and place it again:")
	return p.draft(d).draftButtons("Open the form", d).message()
}

// GuestOrder says to somebody who may only look why they cannot order; urls are those of
// their line.
func GuestOrder(channel string, why order.Denial, urls string) Message {
	return says(CannotOrder(channel, why)).kept("Your image URLs:", urls).message()
}

// CannotOrder is the sentence of [GuestOrder].
func CannotOrder(channel string, why order.Denial) string {
	return onlySees(why) + "place them. Nothing was sent: ask " + fullMember(channel) + " to order for you."
}

// Reopen is told when a form could not be opened: what it would have held is kept.
func Reopen(d store.Draft, sentence string) Message {
	return says(cut(sentence, maxSection)).say("Kept for you: " + summary(d)).
		buttons(primary("Open the form", ActionOpen, d.ID)).message()
}

// draft shows everything a person typed into the order form.
func (p *builder) draft(d store.Draft) *builder {
	return p.say("Post to: "+channelLink(d.Channel)).
		kept("Photos:", strings.Join(photoNames(d), "\n")).
		kept("Image URLs:", strings.Join(d.URLs, "\n")).
		say("Service type: "+escape(serviceWords(d.Service), maxField)).
		kept("Instructions:", strings.Join(d.Instructions, "\n")).
		kept("Project name:", d.ProjectName).
		kept("Customer ID:", d.CustomerID)
}

// Trouble tells the requester, in a direct message, that the order's channel
// cannot be reached; another channel can have the order.
func Trouble(t store.Tracked, why order.Denial) Message {
	p := says("I have news of *" + project(t) + "* (" + statusWords(t.Order.Status) + ") and cannot post it.").
		say(CannotPost(t.Owner.Channel, why)).
		say("I keep trying: when that is mended, the news is there a few minutes later.").note(factLine(t))
	if why != order.DeniedTokenRevoked {
		p.buttons(moveButton(t))
	}
	return p.message()
}

// Late tells the requester that an order turned up after all, having been
// reported as not found.
func Late(t store.Tracked, now time.Time) Message {
	return says(":warning: *" + project(t) + "* was placed after all: the service took longer than I waited.").
		brief(t).facts(state(t)...).
		say("If you tried again meanwhile, there are two now. Keep the one you want and cancel the other soon: the service promises ten minutes from when it was placed.").
		note(said(t)).buttons(possible(t, now)...).message()
}
