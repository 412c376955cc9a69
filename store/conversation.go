package store

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"darkroom/upstream"
)

// conversation sees what was written. The history of an adopted order is kept
// silently.
func (d *diff) conversation() {
	known := map[string]bool{}
	for _, id := range entryIDs(d.old.Order.Conversation) {
		known[id] = true
	}
	ids := entryIDs(d.order.Conversation)
	mine := d.mine(ids, known)
	for i := d.history(ids, known, mine); i < len(ids); i++ {
		if !known[ids[i]] {
			d.entry(d.order.Conversation[i], ids[i], ids[i] == mine)
		}
	}
	if mine != "" && !slices.Contains(ids, mine) {
		d.entry(upstream.Entry{From: "client", Content: d.words()}, mine, true)
	}
}

// history is how many entries were written before the order was ours, as far as
// answers tell: those before the first one that is ours or known. A conversation
// that shows neither is all history, unless there was seen to be none.
func (d *diff) history(ids []string, known map[string]bool, mine string) int {
	if !d.old.Adopted || d.old.Order.Conversation != nil && len(known) == 0 {
		return 0
	}
	i := slices.IndexFunc(ids, func(id string) bool { return known[id] || id == mine })
	if i < 0 {
		return len(ids)
	}
	return i
}

// mine is the id of the entry that the intent wrote: the last new one with its
// words, or the one that the service confirmed without showing it; else "".
func (d *diff) mine(ids []string, known map[string]bool) string {
	if d.intent == nil || d.intent.Verb != VerbMessage {
		return ""
	}
	wanted := entryID(upstream.Entry{From: "client", Content: d.words()})
	for i, id := range slices.Backward(ids) {
		if !known[id] && entryID(d.order.Conversation[i]) == wanted {
			return id
		}
	}
	if d.intent.Answered {
		return wanted
	}
	return ""
}

func (d *diff) words() string { return strings.Join(d.intent.Words, "\n") }

// entry adds the event of one entry.
func (d *diff) entry(entry upstream.Entry, id string, mine bool) {
	kind, verb := Editor, ""
	if entry.FromClient() {
		kind = Message
	}
	if mine {
		verb = VerbMessage
	}
	d.add(kind, id, verb)
	e := &d.events[len(d.events)-1]
	e.Words = []string{entry.Content}
	if !entry.CreatedAt.IsZero() {
		e.At = entry.CreatedAt
	}
}

// withUnshown adds the message that the events tell and no answer shows: what
// comes after it is no history. Its time is ours, until an answer shows it.
func withUnshown(conversation []upstream.Entry, events []Event, intent *Intent) []upstream.Entry {
	for _, e := range events {
		if !intent.explains(e) || e.Kind != Message || slices.Contains(entryIDs(conversation), e.ID) {
			continue
		}
		sent := e.At
		if !intent.At.IsZero() {
			sent = intent.At
		}
		entry := upstream.Entry{From: "client", Content: e.Words[0], CreatedAt: sent.UTC().Round(0)}
		conversation = byTime(append(slices.Clone(conversation), entry))
	}
	return conversation
}

// references sees reference images, which no answer shows: only the answer to
// their own request proves them.
func (d *diff) references() {
	if i := d.intent; i != nil && i.Verb == VerbReference && i.Answered {
		same := append([]string{i.Job}, i.Words...)
		if i.Brings != "" {
			same = []string{i.Brings}
		}
		d.add(References, "references:"+hash(same...), VerbReference)
	}
}

// entryIDs names the entries of a conversation: side and words, and from the
// second on the number of those equal to it so far.
func entryIDs(entries []upstream.Entry) []string {
	ids := make([]string, len(entries))
	count := map[string]int{}
	for i, e := range entries {
		id := entryID(e)
		count[id]++
		ids[i] = id
		if n := count[id]; n > 1 {
			ids[i] = fmt.Sprintf("%s:%d", id, n)
		}
	}
	return ids
}

// entryID names an entry by its side and words. Line ends and blanks around
// the text are not part of it: services change them.
func entryID(e upstream.Entry) string {
	side := "editor:"
	if e.FromClient() {
		side = "message:"
	}
	return side + hash(strings.TrimSpace(strings.ReplaceAll(e.Content, "\r\n", "\n")))
}

func hash(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:8])
}
