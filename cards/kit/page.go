// Package kit builds Slack messages and windows from safe text within Slack's limits, and reads
// submitted windows. It knows no order: cards and its sub-packages write with it.
package kit

import (
	"cmp"
	"strings"

	"github.com/slack-go/slack"
)

// Page is a message or modal being written: blocks, the same words for the
// fallback, and the room that is left. Slack publishes no ceiling for all text
// of a message; 12,000 bytes are known to pass.
type Page struct {
	Blocks []slack.Block
	Words  []string
	Size   int   // bytes of text in blocks
	Wide   bool  // a modal, which holds more than a message
	held   *Page // what comes later, and has its room already
}

// NewPage begins a message, or a short modal, with a paragraph of safe text.
func NewPage(safe string) *Page { return new(Page).Say(safe) }

// NewWindow begins a modal that shows all of what somebody typed.
func NewWindow(safe string) *Page { return (&Page{Wide: true}).Say(safe) }

// Say adds a paragraph of safe text, when there is room.
func (p *Page) Say(safe string) *Page {
	p.Section(safe, nil)
	return p
}

// NewAlert begins a modal that says first what went wrong, and shows all of what somebody typed.
func NewAlert(safe string) *Page { return (&Page{Wide: true}).Alert(safe) }

// Section is say with something beside the words. It is false when there is no room.
func (p *Page) Section(safe string, accessory *slack.Accessory) bool {
	if safe == "" || Units(safe) > MaxSection || !p.Fits(len(safe)) {
		return false
	}
	p.Add(slack.NewSectionBlock(Mrkdwn(safe), nil, accessory), safe)
	return true
}

// Note adds a small grey line, when there is room.
func (p *Page) Note(safe string) *Page {
	if safe != "" && Units(safe) <= MaxSection && p.Fits(len(safe)) {
		p.Add(slack.NewContextBlock("", Mrkdwn(safe)), safe)
	}
	return p
}

// Notes adds small grey lines, all of them or none.
func (p *Page) Notes(notes []string) bool {
	if !p.RoomFor(BytesOf(notes), len(notes)) {
		return false
	}
	for _, note := range notes {
		p.Add(slack.NewContextBlock("", Mrkdwn(note)), note)
	}
	return true
}

// Fits reports whether a block with so many bytes of text finds room.
func (p *Page) Fits(n int) bool { return p.RoomFor(n, 1) }

// RoomFor says whether so many bytes of text and so many blocks find room.
func (p *Page) RoomFor(bytes, blocks int) bool {
	most := MaxBlocks
	if p.Wide {
		most = MaxModalBlocks
	}
	if p.held != nil {
		most -= len(p.held.Blocks)
	}
	return bytes <= p.Room() && BlocksIn(p.Blocks)+blocks <= most-2 // a note and the buttons always find room
}

// Room is how many bytes of text there is still room for.
func (p *Page) Room() int {
	room := maxMessage - p.Size
	if p.Wide {
		room = maxModal - p.Size
	}
	if p.held != nil {
		room -= p.held.Size
	}
	return room
}

// Hold keeps room for what another builder has, until it is released.
func (p *Page) Hold(later *Page) { p.held = later }

// Release adds what was held.
func (p *Page) Release() *Page {
	later := p.held
	p.held = nil
	p.Blocks, p.Words, p.Size = append(p.Blocks, later.Blocks...), append(p.Words, later.Words...), p.Size+later.Size
	return p
}

// Add adds a block, and its text to the fallback.
func (p *Page) Add(b slack.Block, words string) {
	p.Blocks = append(p.Blocks, b)
	if words != "" {
		p.Words = append(p.Words, words)
		p.Size += len(words)
	}
}

// Put adds blocks without looking for room: a form is bounded by what it asks.
func (p *Page) Put(blocks ...slack.Block) *Page {
	p.Blocks = append(p.Blocks, blocks...)
	return p
}

// Bullets adds rows under a headline, when there are any.
func (p *Page) Bullets(headline string, rows []string) *Page {
	if len(rows) == 0 {
		return p
	}
	return p.Say(Cut(strings.TrimPrefix(headline+"\n• "+strings.Join(rows, "\n• "), "\n"), MaxSection))
}

// Fact is one row of a card: a small name over its value.
type Fact struct{ Name, Value string }

// Facts adds names and values side by side, stacked on a phone. Empty ones are left out.
func (p *Page) Facts(rows ...Fact) *Page {
	var fields []*slack.TextBlockObject
	var words []string
	for _, f := range rows {
		if f.Value == "" {
			continue
		}
		fields = append(fields, Mrkdwn("*"+f.Name+"*\n"+f.Value))
		words = append(words, f.Name+": "+f.Value)
	}
	if len(fields) > 0 {
		p.Add(slack.NewSectionBlock(nil, fields, nil), strings.Join(words, "\n"))
	}
	return p
}

// Typed shows what a person typed, so that it can be copied: in a modal, which has the
// room, all of it.
func (p *Page) Typed(headline, text string) *Page {
	if text == "" {
		return p
	}
	limit := MaxQuote
	if p.Wide {
		limit = -1
	}
	return p.Say(headline).Quote(text, limit)
}

// maxAlert is how much an alert holds; it stands only in modals.
// Slack: docs.slack.dev/reference/block-kit/blocks/alert-block.
const maxAlert = 200

// Alert says what went wrong, in a modal; what is too long for an alert is a paragraph.
func (p *Page) Alert(safe string) *Page {
	if Units(safe) > maxAlert || !p.Fits(len(safe)) {
		return p.Say(Cut(Warning+safe, MaxSection))
	}
	p.Add(slack.NewAlertBlock(Mrkdwn(safe), slack.AlertBlockOptionLevel(slack.AlertLevelWarning)), safe)
	return p
}

// Warning begins what went wrong.
const Warning = ":warning: "

// Buttons adds a row of buttons, if there are any.
func (p *Page) Buttons(row ...slack.BlockElement) *Page {
	if len(row) > 0 {
		p.Put(slack.NewActionBlock("", row...))
	}
	return p
}

// Message returns the page as a message.
func (p *Page) Message() Message {
	return Message{Text: Cut(strings.Join(p.Words, "\n"), MaxFallback), Blocks: p.Blocks}
}

// Modal is the page as a view that cannot be submitted.
func (p *Page) Modal(title, externalID string, meta Meta) slack.ModalViewRequest {
	return slack.ModalViewRequest{
		Type:            slack.VTModal,
		Title:           PlainText(cmp.Or(Plain(OneLine(title), maxTitle), "Darkroom")),
		Close:           PlainText("Close"),
		Blocks:          slack.Blocks{BlockSet: p.Blocks},
		PrivateMetadata: meta.Encode(),
		ExternalID:      Clip(externalID, MaxID),
	}
}

// Form is the page as a view that can be submitted.
func (p *Page) Form(title, submit, callback, externalID string, meta Meta) slack.ModalViewRequest {
	v := p.Modal(title, externalID, meta)
	v.Submit, v.CallbackID = PlainText(submit), callback
	if _, keeps := savedForms[callback]; keeps {
		v = SavedInputs(v)
	}
	return v
}

// Rows adds lines of safe text, in as few paragraphs as hold them. It is false when
// there was no room for all.
func (p *Page) Rows(lines ...string) bool {
	for _, paragraph := range packed(lines, MaxSection-1) {
		if paragraph != "" && !p.Section(paragraph, nil) {
			return false
		}
	}
	return true
}

// Row adds a paragraph to a view, which holds far more than a message.
func (p *Page) Row(safe string) {
	p.Put(slack.NewSectionBlock(Mrkdwn(Cut(safe, MaxSection)), nil, nil))
}

// Paging adds the buttons for the pages before and after; they are told apart by the end
// of their action ids.
func (p *Page) Paging(action, newer, older string) *Page {
	var row []slack.BlockElement
	if newer != "" {
		row = append(row, Button("Newer", action+"newer", newer))
	}
	if older != "" {
		row = append(row, Button("Older", action+"older", older))
	}
	return p.Buttons(row...)
}

// Line is [Page.Note] without looking for room, like [Page.Put].
func (p *Page) Line(safe string) {
	p.Put(slack.NewContextBlock("", Mrkdwn(safe)))
}
