package cards

import (
	"cmp"
	"strings"

	"darkroom/store"

	"github.com/slack-go/slack"
)

// builder is a message or modal being written: blocks, the same words for the
// fallback, and the room that is left. Slack publishes no ceiling for all text
// of a message; 12,000 bytes are known to pass.
type builder struct {
	blocks []slack.Block
	words  []string
	size   int      // bytes of text in blocks
	wide   bool     // a modal, which holds more than a message
	held   *builder // what comes later, and has its room already
}

// says begins a message, or a short modal, with a paragraph of safe text.
func says(safe string) *builder { return new(builder).say(safe) }

// window begins a modal that shows all of what somebody typed.
func window(safe string) *builder { return (&builder{wide: true}).say(safe) }

// say adds a paragraph of safe text, when there is room.
func (p *builder) say(safe string) *builder {
	p.section(safe, nil)
	return p
}

// alerting begins a modal that says first what went wrong, and shows all of what somebody typed.
func alerting(safe string) *builder { return (&builder{wide: true}).alert(safe) }

// section is say with something beside the words. It is false when there is no room.
func (p *builder) section(safe string, accessory *slack.Accessory) bool {
	if safe == "" || units(safe) > maxSection || !p.fits(len(safe)) {
		return false
	}
	p.add(slack.NewSectionBlock(mrkdwn(safe), nil, accessory), safe)
	return true
}

// note adds a small grey line, when there is room.
func (p *builder) note(safe string) *builder {
	if safe != "" && units(safe) <= maxSection && p.fits(len(safe)) {
		p.add(slack.NewContextBlock("", mrkdwn(safe)), safe)
	}
	return p
}

// notes adds small grey lines, all of them or none.
func (p *builder) notes(notes []string) bool {
	if !p.roomFor(bytesOf(notes), len(notes)) {
		return false
	}
	for _, note := range notes {
		p.add(slack.NewContextBlock("", mrkdwn(note)), note)
	}
	return true
}

func (p *builder) fits(n int) bool { return p.roomFor(n, 1) }

// roomFor says whether so many bytes of text and so many blocks find room.
func (p *builder) roomFor(bytes, blocks int) bool {
	most := maxBlocks
	if p.wide {
		most = maxModalBlocks
	}
	if p.held != nil {
		most -= len(p.held.blocks)
	}
	return bytes <= p.room() && blocksIn(p.blocks)+blocks <= most-2 // a note and the buttons always find room
}

// room is how many bytes of text there is still room for.
func (p *builder) room() int {
	room := maxMessage - p.size
	if p.wide {
		room = maxModal - p.size
	}
	if p.held != nil {
		room -= p.held.size
	}
	return room
}

// hold keeps room for what another builder has, until it is released.
func (p *builder) hold(later *builder) { p.held = later }

// release adds what was held.
func (p *builder) release() *builder {
	later := p.held
	p.held = nil
	p.blocks, p.words, p.size = append(p.blocks, later.blocks...), append(p.words, later.words...), p.size+later.size
	return p
}

func (p *builder) add(b slack.Block, words string) {
	p.blocks = append(p.blocks, b)
	if words != "" {
		p.words = append(p.words, words)
		p.size += len(words)
	}
}

// put adds blocks without looking for room: a form is bounded by what it asks.
func (p *builder) put(blocks ...slack.Block) *builder {
	p.blocks = append(p.blocks, blocks...)
	return p
}

// ask is a field of a form: an input under its label, with a hint unless that is "".
func ask(id, label, hint string, element slack.BlockElement) *slack.InputBlock {
	block := slack.NewInputBlock(id, plainText(label), nil, element)
	if hint != "" {
		block.Hint = plainText(hint)
	}
	return block
}

// beside puts a problem of a submitted form beside the field that it is about.
func beside(view slack.View, field, problem string) map[string]string {
	return map[string]string{blockOf(view, field): problem}
}

// bullets adds rows under a headline, when there are any.
func (p *builder) bullets(headline string, rows []string) *builder {
	if len(rows) == 0 {
		return p
	}
	return p.say(cut(strings.TrimPrefix(headline+"\n• "+strings.Join(rows, "\n• "), "\n"), maxSection))
}

// fact is one row of a card: a small name over its value.
type fact struct{ name, value string }

// facts adds names and values side by side, stacked on a phone. Empty ones are left out.
func (p *builder) facts(rows ...fact) *builder {
	var fields []*slack.TextBlockObject
	var words []string
	for _, f := range rows {
		if f.value == "" {
			continue
		}
		fields = append(fields, mrkdwn("*"+f.name+"*\n"+f.value))
		words = append(words, f.name+": "+f.value)
	}
	if len(fields) > 0 {
		p.add(slack.NewSectionBlock(nil, fields, nil), strings.Join(words, "\n"))
	}
	return p
}

// quote adds what somebody wrote, as a quotation, in as many paragraphs as it
// needs and with at most limit characters in all; what was cut is said.
func (p *builder) quote(text string, limit int) *builder {
	if !p.rows(quotation(text, limit)...) {
		p.note(tooLong)
	}
	return p
}

// kept shows what a person typed, so that it can be copied: in a modal, which has the
// room, all of it.
func (p *builder) kept(headline, text string) *builder {
	if text == "" {
		return p
	}
	limit := maxQuote
	if p.wide {
		limit = -1
	}
	return p.say(headline).quote(text, limit)
}

// tooLong ends what was cut.
const tooLong = "The rest is too long to show here."

// maxAlert is how much an alert holds; it stands only in modals.
// Slack: docs.slack.dev/reference/block-kit/blocks/alert-block.
const maxAlert = 200

// alert says what went wrong, in a modal; what is too long for an alert is a paragraph.
func (p *builder) alert(safe string) *builder {
	if units(safe) > maxAlert || !p.fits(len(safe)) {
		return p.say(cut(warning+safe, maxSection))
	}
	p.add(slack.NewAlertBlock(mrkdwn(safe), slack.AlertBlockOptionLevel(slack.AlertLevelWarning)), safe)
	return p
}

const warning = ":warning: "

// paragraphOf is an alert for where there are none.
func paragraphOf(b *slack.AlertBlock) *slack.SectionBlock {
	return slack.NewSectionBlock(mrkdwn(warning+b.Text.Text), nil, nil)
}

// buttons adds a row of buttons, if there are any.
func (p *builder) buttons(row ...slack.BlockElement) *builder {
	if len(row) > 0 {
		p.put(slack.NewActionBlock("", row...))
	}
	return p
}

func (p *builder) message() Message {
	return Message{Text: cut(strings.Join(p.words, "\n"), maxFallback), Blocks: p.blocks}
}

// post is the message with the marker by which the announcer finds it again.
func (p *builder) post(t store.Tracked, event string) Message {
	m := p.message()
	m.Metadata = &slack.SlackMetadata{
		EventType:    MetadataType,
		EventPayload: map[string]any{"order_id": t.ID, "event": event, "generation": t.Owner.Generation, "team": t.Owner.Team},
	}
	return m
}

// modal is the page as a view that cannot be submitted.
func (p *builder) modal(title, externalID string, meta Meta) slack.ModalViewRequest {
	return slack.ModalViewRequest{
		Type:            slack.VTModal,
		Title:           plainText(orElse(plain(oneLine(title), maxTitle), "Darkroom")),
		Close:           plainText("Close"),
		Blocks:          slack.Blocks{BlockSet: p.blocks},
		PrivateMetadata: meta.encode(),
		ExternalID:      clip(externalID, maxID),
	}
}

// form is the page as a view that can be submitted.
func (p *builder) form(title, submit, callback, externalID string, meta Meta) slack.ModalViewRequest {
	v := p.modal(title, externalID, meta)
	v.Submit, v.CallbackID = plainText(submit), callback
	if _, keeps := keptForms[callback]; keeps {
		v = telling(v)
	}
	return v
}

// orElse is the first of these words that is not "".
func orElse(words ...string) string { return cmp.Or(words...) }
