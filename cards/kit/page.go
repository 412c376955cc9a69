// Package kit builds Slack messages and windows from safe text within Slack's limits, and reads submitted
// windows. It knows nothing about orders; cards and its sub-packages use it.
package kit

import (
	"cmp"
	"strings"

	"github.com/slack-go/slack"
)

// Page collects the blocks of a message or modal, the same text for the fallback, and the remaining room.
// Slack documents no limit for all text of a message; 12,000 bytes are known to pass.
type Page struct {
	Blocks   []slack.Block
	Words    []string // the fallback, a paragraph each
	Size     int      // bytes of text in blocks
	Wide     bool     // a modal, which holds more than a message
	reserved *Page    // content that is added later and has its room already
}

// NewPage begins a message or a short modal with a paragraph of safe text.
func NewPage(safe string) *Page { return new(Page).Say(safe) }

// NewWindow begins a modal that shows typed text in full.
func NewWindow(safe string) *Page { return (&Page{Wide: true}).Say(safe) }

// Say adds a paragraph of safe text if there is room.
func (p *Page) Say(safe string) *Page {
	p.Section(safe, nil)
	return p
}

// NewAlert begins a modal with a warning. The modal shows typed text in full.
func NewAlert(safe string) *Page { return (&Page{Wide: true}).Alert(safe) }

// Section adds a paragraph with an accessory. It returns false if there is no room.
func (p *Page) Section(safe string, accessory *slack.Accessory) bool {
	if safe == "" || Units(safe) > MaxSection || !p.Fits(len(safe)) {
		return false
	}
	p.Add(slack.NewSectionBlock(Mrkdwn(safe), nil, accessory), safe)
	return true
}

// Note adds a small grey line if there is room.
func (p *Page) Note(safe string) *Page {
	if safe != "" && Units(safe) <= MaxSection && p.Fits(len(safe)) {
		p.Add(slack.NewContextBlock("", Mrkdwn(safe)), safe)
	}
	return p
}

// Notes adds small grey lines, all of them or none. It returns false if there is no room.
func (p *Page) Notes(notes []string) bool {
	if !p.RoomFor(BytesOf(notes), len(notes)) {
		return false
	}
	for _, note := range notes {
		p.Add(slack.NewContextBlock("", Mrkdwn(note)), note)
	}
	return true
}

// Fits reports whether there is room for a block with n bytes of text.
func (p *Page) Fits(n int) bool { return p.RoomFor(n, 1) }

// RoomFor reports whether there is room for so many bytes of text and blocks.
func (p *Page) RoomFor(bytes, blocks int) bool {
	most := Either(p.Wide, MaxModalBlocks, MaxBlocks)
	if p.reserved != nil {
		most -= len(p.reserved.Blocks)
	}
	return bytes <= p.Room() && BlocksIn(p.Blocks)+blocks <= most-2 // reserves a note and the buttons
}

// Room returns how many more bytes of text fit.
func (p *Page) Room() int {
	room := Either(p.Wide, maxModal-p.Size, maxMessage-p.Size)
	if p.reserved != nil {
		room -= p.reserved.Size
	}
	return room
}

// Reserve keeps room for another page until [Page.Release].
func (p *Page) Reserve(later *Page) { p.reserved = later }

// Release adds the reserved page.
func (p *Page) Release() *Page {
	later := p.reserved
	p.reserved = nil
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

// Put adds blocks without checking for room. Forms are small by construction.
func (p *Page) Put(blocks ...slack.Block) *Page {
	p.Blocks = append(p.Blocks, blocks...)
	return p
}

// Bullets adds rows under a headline, or nothing without rows.
func (p *Page) Bullets(headline string, rows []string) *Page {
	if len(rows) == 0 {
		return p
	}
	return p.Say(Cut(strings.TrimPrefix(headline+"\n• "+strings.Join(rows, "\n• "), "\n"), MaxSection))
}

// Fact is one field of a card: a label above its value.
type Fact struct{ Name, Value string }

// Facts adds labels and values in two columns, which a phone stacks. Empty values are left out.
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

// Typed shows typed text so that the person can copy it. A modal shows all of it.
func (p *Page) Typed(headline, text string) *Page {
	if text == "" {
		return p
	}
	limit := Either(p.Wide, -1, MaxQuote)
	return p.Say(headline).Quote(text, limit)
}

// maxAlert is Slack's limit for an alert, which only modals take
// (docs.slack.dev/reference/block-kit/blocks/alert-block).
const maxAlert = 200

// Alert adds a warning. Text too long for an alert becomes a paragraph.
func (p *Page) Alert(safe string) *Page {
	if Units(safe) > maxAlert || !p.Fits(len(safe)) {
		return p.Say(Cut(Warning+safe, MaxSection))
	}
	p.Add(slack.NewAlertBlock(Mrkdwn(safe), slack.AlertBlockOptionLevel(slack.AlertLevelWarning)), safe)
	return p
}

// Warning begins a paragraph that says what went wrong.
const Warning = ":warning: "

// Buttons adds a row of buttons, or nothing without buttons.
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

// Modal returns the page as a view without a submit button.
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

// Form returns the page as a view with a submit button.
func (p *Page) Form(title, submit, callback, externalID string, meta Meta) slack.ModalViewRequest {
	v := p.Modal(title, externalID, meta)
	v.Submit, v.CallbackID = PlainText(submit), callback
	if _, keeps := savedForms[callback]; keeps {
		v = SavedInputs(v)
	}
	return v
}

// Rows adds lines of safe text in as few paragraphs as possible. It returns false if some did not fit.
func (p *Page) Rows(lines ...string) bool {
	for _, paragraph := range Packed(lines, MaxSection-1) {
		if paragraph != "" && !p.Section(paragraph, nil) {
			return false
		}
	}
	return true
}

// Row adds a paragraph to a view without checking for room.
func (p *Page) Row(safe string) {
	p.Put(slack.NewSectionBlock(Mrkdwn(Cut(safe, MaxSection)), nil, nil))
}

// Paging adds buttons to the pages before and after. Their action ids end in "newer" and "older"; an empty
// value adds no button.
func (p *Page) Paging(action, newer, older string) *Page {
	var row []slack.BlockElement
	if newer != "" {
		row = append(row, Button("Show Newer", action+"newer", newer))
	}
	if older != "" {
		row = append(row, Button("Show Older", action+"older", older))
	}
	return p.Buttons(row...)
}

// Line is [Page.Note] without checking for room.
func (p *Page) Line(safe string) {
	p.Put(slack.NewContextBlock("", Mrkdwn(safe)))
}
