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

// conversation adds events for new entries. The earlier entries of an adopted order make no events.
func (d *diff) conversation() {
	if d.seen.Conversation == nil && (d.intent == nil || !d.intent.Answered) {
		return
	}
	lines := mergeConversation(d.old.Order.Conversation, d.seen.Conversation)
	mine, unshown := d.mine(lines)
	var fresh []int
	for i := d.history(lines, mine); i < len(lines); i++ {
		if lines[i].new {
			fresh = append(fresh, i)
		}
	}
	skipped := max(0, len(fresh)-MaxAnnounced)
	if slices.ContainsFunc(fresh[:skipped], func(i int) bool { return i != mine }) || d.cutNew(lines, fresh) {
		d.add(EventCut, CutEntries, "")
	}
	for n, i := range fresh {
		if n >= skipped || i == mine {
			d.entry(lines[i].Entry, lines[i].id, i == mine)
		}
	}
	if unshown {
		sent := linesOf([]Entry{{From: "client", Content: d.text()}})
		sent[0].new = true
		nameNew(sent, lines)
		d.entry(sent[0].Entry, sent[0].id, true)
	}
}

// cutNew reports whether the answer lost new entries to the bounds: even its oldest entry is new.
func (d *diff) cutNew(lines []line, fresh []int) bool {
	if !d.seen.CutEntries || len(d.seen.Conversation) == 0 {
		return false
	}
	oldest := d.seen.Conversation[0]
	return slices.ContainsFunc(fresh, func(i int) bool {
		return lines[i].base == entryID(oldest) && lines[i].CreatedAt.Equal(oldest.CreatedAt)
	})
}

// history returns the number of entries from before the order was adopted: those before the first known entry or
// the person's own. Without either, all entries are history, unless the conversation was seen to be empty.
func (d *diff) history(lines []line, mine int) int {
	known := d.old.Order.Conversation
	if !d.old.Adopted || known != nil && len(known) == 0 {
		return 0
	}
	for i, l := range lines {
		if !l.new || i == mine {
			return i
		}
	}
	return len(lines)
}

// mine returns the index of the entry that the intent wrote: the last new one with its text, else -1. unshown
// reports that the service confirmed the message but the conversation has no entry with its text.
func (d *diff) mine(lines []line) (at int, unshown bool) {
	if d.intent == nil || d.intent.Verb != VerbMessage {
		return -1, false
	}
	wanted := entryID(Entry{From: "client", Content: d.text()})
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

// text returns the message that the intent sends.
func (d *diff) text() string { return strings.Join(d.intent.Words, "\n") }

// entry adds the event of one entry. mine says that the intent wrote it.
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
		e.Words = []string{d.text()} // as typed; the service may change it
		if d.intended(VerbMessage) {
			e.Message = d.intent.Message
		}
	}
	if !entry.CreatedAt.IsZero() {
		e.At = entry.CreatedAt
	}
}

// withUnshown inserts the message that an event reports but no answer shows yet, so that later entries are no
// history. Its time is the local one until an answer shows it. It is never a whole second, unlike the times of
// the service.
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

// references adds the event of added reference images. No answer shows them, so only the answer to their own
// request proves them.
func (d *diff) references() {
	if i := d.intent; i != nil && i.Verb == VerbReference && i.Answered {
		key := append([]string{i.Job}, i.Words...)
		if i.DedupKey != "" {
			key = []string{i.DedupKey}
		}
		d.add(EventReferences, "references:"+hash(key...), VerbReference)
	}
}

// numbered returns the ID of the nth event of one name: the name itself, then "name:2" and so on.
func numbered(base string, n int) string {
	if n <= 1 {
		return base
	}
	return fmt.Sprintf("%s:%d", base, n)
}

// mostEscaped is how many layers of HTML escaping entryID removes.
const mostEscaped = 5

// entryID returns an ID made of the side and the text of an entry. It ignores line ends, surrounding blanks
// and HTML escaping, since services change them.
func entryID(e Entry) string {
	side := "editor:"
	if e.FromClient() {
		side = "message:"
	}
	text := e.Content
	for range mostEscaped {
		text = html.UnescapeString(text)
	}
	return side + hash(strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n")))
}

// hash returns sixteen hexadecimal digits of the SHA-256 of the parts.
func hash(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:8])
}
