package store

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"darkroom/upstream"
)

// conversation sees what was written. The first conversation of an adopted
// order is old news: it is kept silently, but for what the intent explains.
func (d *diff) conversation() {
	known := map[string]bool{}
	for _, id := range entryIDs(d.old.Order.Conversation) {
		known[id] = true
	}
	silent := d.old.Adopted && d.old.Order.Conversation == nil
	ids := entryIDs(d.order.Conversation)
	mine := d.mine(ids, known)
	for i, entry := range d.order.Conversation {
		if !known[ids[i]] && (!silent || ids[i] == mine) {
			d.entry(entry, ids[i], ids[i] == mine)
		}
	}
	if mine != "" && !slices.Contains(ids, mine) {
		d.entry(upstream.Entry{From: "client", Content: d.words()}, mine, true)
	}
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

// references sees reference images, which no answer shows: only the answer to
// their own request proves them.
func (d *diff) references() {
	if i := d.intent; i != nil && i.Verb == VerbReference && i.Answered {
		d.add(References, "references:"+hash(append([]string{i.Job}, i.Words...)...), VerbReference)
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
