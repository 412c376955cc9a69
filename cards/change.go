package cards

import (
	"slices"
	"strings"
	"unicode/utf16"

	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// What the forms of the three verbs that change an order (approve, revise, cancel)
// have in common.

// Confirmation is the form of approve or of cancel as somebody filled it in, bound to what that
// person saw.
type Confirmation struct {
	Meta
	Words string // the feedback, or the reason
}

// decodeConfirmation reads one; button is what opens the form again.
func decodeConfirmation(view slack.View, field, button string) (Confirmation, map[string]string) {
	c := Confirmation{DecodeMeta(view.PrivateMetadata), textOf(view, field)}
	if c.Order != "" {
		return c, nil
	}
	return c, beside(view, field, "This window has lost its order. Copy your words, close it, and press “"+button+"” again, on the order's card or in its review.")
}

// confirmation asks for words that go to the service.
func (p *builder) confirmation(t store.Tracked, field, label, hint, words string) *builder {
	return p.boxes(field, label, hint, parts(words, maxInput, maxTextBoxes), func(part int) string { return blockID(field, t.Order.Rev(), part) })
}

// refusedTo begins a form that the service refused.
func (p *builder) refusedTo(what string, t store.Tracked, problems Problems) *builder {
	return p.problems(expand("{order} was not "+what+". The service says:", t), problems,
		expand("Your words are kept. You can try again, or look at the order first: `/order show {handle}`", t))
}

// metaOf binds a form to the order as it is shown.
func metaOf(t store.Tracked) Meta {
	return Meta{Order: t.ID, Revision: t.Order.Rev(), Pictures: pictures(t)}
}

// pictures tells which pictures an order has, in a word that a form remembers.
func pictures(t store.Tracked) string {
	return orElse(order.Fingerprint(t.Order.EditedImages), "none")
}

// Newer tells whether the order has another revision, or other pictures, than the form was
// bound to: what was not seen is not approved. A form of the release before says nothing of
// its pictures: then those of a later revision count.
func Newer(t store.Tracked, revision int, seen string) bool {
	if seen == "" {
		later := func(image order.EditedImage) bool { return image.Revision > revision }
		return t.Order.Rev() != revision || slices.ContainsFunc(t.Order.EditedImages, later)
	}
	return t.Order.Rev() != revision || pictures(t) != seen
}

// newer says that there is something newer than what the person looked at.
func newer(t store.Tracked, seen int) string {
	if seen < t.Order.Rev() {
		return "You looked at " + Round(seen) + ", but *" + project(t) + "* has a newer one: " + Round(t.Order.Rev()) + "."
	}
	return "*" + project(t) + "* has other images now than those you looked at."
}

// boxes adds an input for each text: the first one, and more for words that are longer than Slack
// lets one hold. block makes the id of each.
func (p *builder) boxes(field, label, hint string, texts []string, block func(part int) string) *builder {
	for i, text := range texts {
		label += onlyIf(i == 1, " (more)")
		p.put(ask(block(i), label, hint, multiline(field, text, maxInput)).WithOptional(true))
	}
	return p
}

// maxTextBoxes bounds the boxes of one field: a command line is shorter.
const maxTextBoxes = 4

// parts splits words, at most limit units each and at a line's end or a space where
// there is one near; always at least one, at most so many.
func parts(words string, limit, most int) []string {
	var all []string
	for len(all) < most-1 && units(words) > limit {
		end := partEnd(words[:unitsEnd(words, limit)])
		all, words = append(all, strings.TrimSpace(words[:end])), strings.TrimSpace(words[end:])
	}
	return append(all, words)
}

// partEnd is where a part ends best: at a line's end, else at a space, but not so early
// that more parts are needed.
func partEnd(head string) int {
	for _, at := range []string{"\n", " "} {
		if i := strings.LastIndex(head, at); i > len(head)*5/6 {
			return i
		}
	}
	return len(head)
}

// unitsEnd is where the first limit units of s end, in bytes.
func unitsEnd(s string, limit int) int {
	size := 0
	for i, r := range s {
		if size += utf16.RuneLen(r); size > limit {
			return i
		}
	}
	return len(s)
}

// rows adds lines of safe text, in as few paragraphs as hold them. It is false when
// there was no room for all.
func (p *builder) rows(lines ...string) bool {
	for _, paragraph := range packed(lines, maxSection-1) {
		if paragraph != "" && !p.section(paragraph, nil) {
			return false
		}
	}
	return true
}

// packed joins lines to as few texts as hold them, each of at most limit units unless a single
// line is longer; always at least one.
func packed(lines []string, limit int) []string {
	texts := []string{""}
	for _, line := range lines {
		last := len(texts) - 1
		if longer := texts[last] + "\n" + line; texts[last] == "" {
			texts[last] = line
		} else if units(longer) <= limit {
			texts[last] = longer
		} else {
			texts = append(texts, line)
		}
	}
	return texts
}

// quotation is what somebody wrote, cut to limit characters, as lines of a quotation, none
// longer than a paragraph: a line that is gets split between characters. So that less is cut, signs that
// would format are then others that look alike.
func quotation(text string, limit int) []string {
	var quoted []string
	text = strings.TrimSpace(text)
	if limit >= 0 && units(escape(text, -1)) > limit {
		text = lookAlikes.Replace(text)
	}
	for line := range strings.Lines(escape(text, limit)) {
		line = strings.TrimSuffix(line, "\n")
		for units(line)+len("> \n") > maxSection {
			head := strings.TrimSuffix(cut(line, maxSection-100), ellipsis)
			quoted, line = append(quoted, "> "+head), line[len(head):]
		}
		quoted = append(quoted, "> "+line)
	}
	return quoted
}

// messageButton offers to write to the editor what is kept in the note.
func (p *builder) messageButton(t store.Tracked, note string) *builder {
	return p.put(slack.NewActionBlock(clip(PickBlock+note, maxID), pressOf(t, labelMessage, labelMessage+" of", ActionMessage, Value(t.ID, t.Order.Rev()))))
}
