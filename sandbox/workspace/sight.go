package workspace

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Sight is what a person has before them in one conversation.
type Sight struct {
	Channel  Channel
	Messages []Message         // oldest first; what only they see is among them
	More     bool              // there are older ones
	Replies  []Message         // of the open thread, its root first
	Threads  map[string]Thread // by the root's timestamp
}

// Thread is what a channel tells of a thread below its root.
type Thread struct {
	Count int
	Users []string // who replied, in the order they first did
	Last  string   // timestamp of the last reply
}

// Sight is the newest messages of a conversation, at most so many, and an open thread when one is named. It is ErrNotMember when
// the person is not in the conversation.
func (win *Window) Sight(channel, thread string, most int) (Sight, error) {
	w := win.w
	w.mu.Lock()
	defer w.mu.Unlock()
	c := w.channel(channel)
	if c == nil || !c.has(win.user) {
		return Sight{}, fmt.Errorf("%s: %w", channel, ErrNotMember)
	}
	s := Sight{Channel: c.clone(), Threads: w.threads(c.ID)}
	found := win.shown(c.ID, "", (*Message).inChannel)
	s.More = len(found) > most
	s.Messages = cloned(found[max(0, len(found)-most):])
	if thread != "" {
		s.Replies = cloned(win.shown(c.ID, thread, func(m *Message) bool { return m.TS == thread || m.ThreadTS == thread }))
	}
	return s, nil
}

func cloned(messages []*Message) []Message {
	out := make([]Message, len(messages))
	for i, m := range messages {
		out[i] = m.clone()
	}
	return out
}

// shown are the messages of a conversation that fit, and those that only this person
// sees in the thread, or the channel itself, in order; the caller holds the lock.
func (win *Window) shown(channel, thread string, fits func(*Message) bool) []*Message {
	var found []*Message
	for _, m := range win.w.messages[channel] {
		if fits(m) {
			found = append(found, m)
		}
	}
	said := len(found)
	for _, m := range win.w.ephemerals {
		if win.remembers(m) && m.Channel == channel && m.ThreadTS == thread && (thread != "" || fits(m)) {
			found = append(found, m)
		}
	}
	if len(found) > said {
		slices.SortStableFunc(found, func(a, b *Message) int { return compareStamps(a.TS, b.TS) })
	}
	return found
}

// inChannel tells whether the channel itself shows the message.
func (m *Message) inChannel() bool { return m.ThreadTS == "" || m.ThreadTS == m.TS || m.Broadcast }

// threads are the threads of a channel; the caller holds the lock.
func (w *Workspace) threads(channel string) map[string]Thread {
	all := map[string]Thread{}
	for _, m := range w.messages[channel] {
		if m.ThreadTS == "" || m.ThreadTS == m.TS {
			continue
		}
		t := all[m.ThreadTS]
		t.Count, t.Last = t.Count+1, m.TS
		if !slices.Contains(t.Users, m.User) {
			t.Users = append(t.Users, m.User)
		}
		all[m.ThreadTS] = t
	}
	return all
}

// News is what a person has not read yet in a conversation.
type News struct {
	Unread  int    // messages of others in the channel itself
	Mention bool   // one of them, or a reply, names the person
	Last    string // timestamp of the newest message; "": none
}

// News counts what came to a conversation after the timestamp.
func (win *Window) News(channel, since string) News {
	w := win.w
	w.mu.Lock()
	defer w.mu.Unlock()
	var n News
	c := w.channel(channel)
	if c == nil || !c.has(win.user) {
		return n
	}
	for _, m := range slices.Backward(w.messages[c.ID]) {
		if n.Last == "" {
			n.Last = m.TS
		}
		if since != "" && compareStamps(m.TS, since) <= 0 {
			break
		}
		if m.User == win.user || m.Subtype == "tombstone" {
			continue
		}
		n.Mention = n.Mention || m.names(win.user)
		if m.inChannel() {
			n.Unread++
		}
	}
	return n
}

// names tells whether the message's text or blocks mention the person.
func (m *Message) names(user string) bool {
	if strings.Contains(m.Text, "<@"+user) {
		return true
	}
	return slices.ContainsFunc(m.Blocks, func(b object) bool {
		return holdsText(b, func(text string) bool { return strings.Contains(text, "<@"+user) })
	})
}

// holdsText tells whether a JSON value holds a text, at any depth, that fits.
func holdsText(value any, fits func(string) bool) bool {
	switch value := value.(type) {
	case string:
		return fits(value)
	case []any:
		return slices.ContainsFunc(value, func(one any) bool { return holdsText(one, fits) })
	case []object:
		return slices.ContainsFunc(value, func(one object) bool { return holdsText(one, fits) })
	case object:
		return slices.ContainsFunc(slices.Collect(maps.Values(value)), func(one any) bool { return holdsText(one, fits) })
	}
	return false
}

// File is a file by its id or address, when the person may see it: their own, one that
// was shared where they are, or one in a message or view before them.
func (win *Window) File(idOrURL string) (File, bool) {
	w := win.w
	w.mu.Lock()
	defer w.mu.Unlock()
	f := w.file(idOrURL)
	if f == nil || f.Owner != win.user && !win.sees(f) {
		return File{}, false
	}
	return *f, true
}

// wasShown notes that a channel or a person was shown the files of blocks that are about to change: a browser may be about
// to fetch them. The caller holds the lock.
func (w *Workspace) wasShown(blocks []object, to string) {
	for _, b := range blocks {
		holdsText(b, func(text string) bool {
			if f := w.files[text]; f != nil && !slices.Contains(f.before, to) {
				f.before = append(f.before, to)
			}
			return false
		})
	}
}

// sees tells whether a file of somebody else is, or was, before the person.
func (win *Window) sees(f *File) bool {
	w, address := win.w, win.w.fileURL(f)
	mine := func(id string) bool { c := w.channel(id); return c != nil && c.has(win.user) }
	shows := func(blocks []object) bool {
		return slices.ContainsFunc(blocks, func(b object) bool {
			return holdsText(b, func(text string) bool { return text == f.ID || text == address })
		})
	}
	if slices.ContainsFunc(f.Channels, mine) || slices.ContainsFunc(f.before, func(id string) bool { return id == win.user || mine(id) }) {
		return true
	}
	for _, v := range w.views {
		if v.User == win.user && shows(v.Blocks) {
			return true
		}
	}
	for _, m := range w.ephemerals {
		if m.To == win.user && shows(m.Blocks) {
			return true
		}
	}
	for id, messages := range w.messages {
		if mine(id) && slices.ContainsFunc(messages, func(m *Message) bool { return shows(m.Blocks) }) {
			return true
		}
	}
	return false
}
