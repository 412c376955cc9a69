package order

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"html"
	"slices"
	"strings"
	"time"
)

// conversation sees what was written. The history of an adopted order is kept
// silently.
func (d *diff) conversation() {
	if d.seen.Conversation == nil && (d.intent == nil || !d.intent.Answered) {
		return
	}
	lines := mergeConversation(d.old.Order.Conversation, d.seen.Conversation)
	mine, unshown := d.mine(lines)
	var told []int
	for i := d.history(lines, mine); i < len(lines); i++ {
		if lines[i].new {
			told = append(told, i)
		}
	}
	left := max(0, len(told)-MostTold)
	if slices.ContainsFunc(told[:left], func(i int) bool { return i != mine }) || d.lost(lines, told) {
		d.add(EventCut, CutEntries, "")
	}
	for n, i := range told {
		if n >= left || i == mine {
			d.entry(lines[i].Entry, lines[i].id, i == mine)
		}
	}
	if unshown {
		sent := linesOf([]Entry{{From: "client", Content: d.words()}})
		sent[0].new = true
		name(sent, lines)
		d.entry(sent[0].Entry, sent[0].id, true)
	}
}

// lost says that entries were cut off which are new: even the oldest one that the answer has left is.
func (d *diff) lost(lines []line, told []int) bool {
	if !d.seen.CutEntries || len(d.seen.Conversation) == 0 {
		return false
	}
	oldest := d.seen.Conversation[0]
	return slices.ContainsFunc(told, func(i int) bool {
		return lines[i].base == entryID(oldest) && lines[i].CreatedAt.Equal(oldest.CreatedAt)
	})
}

// history is how many entries were written before the order was ours, as far as
// answers tell: those before the first one that is ours or known. A conversation
// that shows neither is all history, unless there was seen to be none.
func (d *diff) history(lines []line, mine int) int {
	was := d.old.Order.Conversation
	if !d.old.Adopted || was != nil && len(was) == 0 {
		return 0
	}
	for i, l := range lines {
		if !l.new || i == mine {
			return i
		}
	}
	return len(lines)
}

// mine is where the entry is that the intent wrote: the last new one with its words, else -1.
// It is unshown when the service confirmed it and shows none with these words.
func (d *diff) mine(lines []line) (at int, unshown bool) {
	if d.intent == nil || d.intent.Verb != VerbMessage {
		return -1, false
	}
	wanted := entryID(Entry{From: "client", Content: d.words()})
	unshown = d.intent.Answered
	for i, l := range slices.Backward(lines) {
		if l.base != wanted {
			continue
		}
		if l.new {
			return i, false
		}
		unshown = false
	}
	return -1, unshown
}

func (d *diff) words() string { return strings.Join(d.intent.Words, "\n") }

// entry adds the event of one entry.
func (d *diff) entry(entry Entry, id string, mine bool) {
	kind, verb := EventEditor, ""
	if entry.FromClient() {
		kind = EventMessage
	}
	if mine {
		verb = VerbMessage
	}
	d.add(kind, id, verb)
	e := &d.events[len(d.events)-1]
	e.Words, e.Revision = []string{entry.Content}, entry.Revision
	if mine {
		e.Words = []string{d.words()} // as they were typed, whatever the service makes of them
		if d.intended(VerbMessage) {
			e.Said = d.intent.Said
		}
	}
	if !entry.CreatedAt.IsZero() {
		e.At = entry.CreatedAt
	}
}

// withUnshown adds the message that the events tell and no answer shows: what
// comes after it is no history. Its time is ours until an answer shows it, and never a
// whole second, by which it is told from the service's.
func withUnshown(conversation []Entry, events []Event, intent *Intent) []Entry {
	for _, e := range events {
		if !intent.explains(e) || e.Kind != EventMessage {
			continue
		}
		sent := Entry{From: "client", Content: e.Words[0], CreatedAt: e.At}
		if slices.ContainsFunc(linesOf(conversation), func(l line) bool { return l.base == entryID(sent) }) {
			continue
		}
		if !intent.At.IsZero() {
			sent.CreatedAt = intent.At
		}
		if sent.CreatedAt = sent.CreatedAt.UTC().Round(0); sent.CreatedAt.Nanosecond() == 0 {
			sent.CreatedAt = sent.CreatedAt.Add(time.Nanosecond)
		}
		at := len(conversation)
		for at > 0 && conversation[at-1].CreatedAt.After(sent.CreatedAt) {
			at--
		}
		conversation = slices.Insert(slices.Clone(conversation), at, sent)
	}
	return conversation
}

// references sees reference images, which no answer shows: only the answer to
// their own request proves them.
func (d *diff) references() {
	if i := d.intent; i != nil && i.Verb == VerbReference && i.Answered {
		same := append([]string{i.Job}, i.Words...)
		if i.DedupKey != "" {
			same = []string{i.DedupKey}
		}
		d.add(EventReferences, "references:"+hash(same...), VerbReference)
	}
}

// numbered is the name of the nth entry with the same side and words.
func numbered(base string, n int) string {
	if n == 1 {
		return base
	}
	return fmt.Sprintf("%s:%d", base, n)
}

// mostEscaped is how often a text may be escaped that is known in any of these forms.
const mostEscaped = 5

// entryID names an entry by its side and words. Line ends, blanks around the text and the
// escaping of markup are not part of it: services change them.
func entryID(e Entry) string {
	side := "editor:"
	if e.FromClient() {
		side = "message:"
	}
	words := e.Content
	for range mostEscaped {
		words = html.UnescapeString(words)
	}
	return side + hash(strings.TrimSpace(strings.ReplaceAll(words, "\r\n", "\n")))
}

func hash(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:8])
}
