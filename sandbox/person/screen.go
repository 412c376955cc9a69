package person

import (
	"fmt"
	"slices"
	"strings"

	"darkroom/sandbox/workspace"
)

// Screen is what the person sees now, as plain text: the open place, the open
// thread and, in front, the modal and its dialog.
func (p *Person) Screen() string {
	var out strings.Builder
	fmt.Fprintf(&out, "== %s sees %s ==\n", p.user.RealName, p.placeName())
	if p.home {
		out.WriteString(p.homeWords())
	} else {
		p.writeMessages(&out, p.win.Visible(p.channel, ""), true)
	}
	if p.thread != "" {
		out.WriteString("-- thread --\n")
		p.writeMessages(&out, p.win.Visible(p.channel, p.thread), false)
	}
	if toast := p.win.Toast(); toast != "" {
		out.WriteString("(!) " + toast + "\n")
	}
	if v, open := p.win.Modal(); open {
		out.WriteString(p.modalWords(v))
	}
	if p.dialog != nil {
		out.WriteString(p.dialog.words(p))
	}
	return out.String()
}

func (p *Person) placeName() string {
	if p.home {
		return "the App Home"
	}
	return p.conversation(p.channel)
}

func (p *Person) homeWords() string {
	home, published := p.win.Home()
	if !published {
		return "(nothing published)\n"
	}
	return p.words(surface{view: &home}) + "\n"
}

func (p *Person) writeMessages(out *strings.Builder, messages []workspace.Message, counts bool) {
	for _, m := range messages {
		out.WriteString(p.messageWords(m))
		if replies := len(p.ws.Thread(m.Channel, m.TS)) - 1; counts && replies > 0 && !m.Ephemeral {
			fmt.Fprintf(out, "    (%d replies)\n", replies)
		}
	}
}

// messageWords is one message with its author and reactions.
func (p *Person) messageWords(m workspace.Message) string {
	author := strings.TrimPrefix(p.person(m.User), "@")
	if m.Ephemeral {
		author += " (only visible to you)"
	}
	text := strings.ReplaceAll(p.words(p.onMessage(m)), "\n", "\n    ")
	if m.Edited {
		text += " (edited)"
	}
	lines := []string{author + ": " + text}
	for _, r := range m.Reactions {
		lines = append(lines, fmt.Sprintf("    :%s: %d", r.Name, len(r.Users)))
	}
	return strings.Join(lines, "\n") + "\n"
}

func (p *Person) modalWords(v workspace.View) string {
	words := fmt.Sprintf("== modal %q ==\n%s\n", v.Title, p.words(surface{view: &v}))
	if v.Notice != "" {
		words += "(!) " + v.Notice + "\n"
	}
	buttons := "[" + either(v.Close, "Cancel") + "]"
	if v.Submit != "" {
		buttons += " [" + v.Submit + "]"
	}
	return words + buttons + "\n"
}

// surfaces are what the person could touch, front to back, newest first.
func (p *Person) surfaces() []surface {
	var found []surface
	if v, open := p.win.Modal(); open {
		found = append(found, surface{view: &v})
	}
	if p.thread != "" {
		found = append(found, p.newestFirst(p.win.Visible(p.channel, p.thread))...)
	}
	if !p.home {
		return append(found, p.newestFirst(p.win.Visible(p.channel, ""))...)
	}
	if home, published := p.win.Home(); published {
		found = append(found, surface{view: &home})
	}
	return found
}

func (p *Person) newestFirst(messages []workspace.Message) []surface {
	var found []surface
	for _, m := range slices.Backward(messages) {
		found = append(found, p.onMessage(m))
	}
	return found
}

func (p *Person) onMessage(m workspace.Message) surface {
	return surface{message: &m, held: p.win.Held(m)}
}

// row is the part of a view that belongs to the text: of a card or a layout
// what is closest to it, else the block that holds it and what follows, up to the next
// section, header or divider.
func (p *Person) row(v workspace.View, text string) (surface, bool) {
	whole := surface{view: &v}
	for _, group := range sections(v.Blocks) {
		at := slices.IndexFunc(group, func(b object) bool { return p.says(whole, []object{b}, text) })
		if at < 0 {
			continue
		}
		if part, found := p.closest(whole, group[at], text); found {
			return surface{view: &v, rows: part}, true
		}
		return surface{view: &v, rows: group[at:]}, true
	}
	return surface{}, false
}

// part is what belongs to the text of a message that holds it: one card of several, say,
// else all of it.
func (p *Person) part(m workspace.Message, text string) surface {
	whole := p.onMessage(m)
	for _, b := range m.Blocks {
		if part, found := p.closest(whole, b, text); found {
			whole.rows = part
			break
		}
	}
	return whole
}

// newest is the newest message here, or in the open thread, that holds the text.
func (p *Person) newest(text string) (workspace.Message, bool) {
	return p.newestOf(text, func(workspace.Message) bool { return true })
}

// newestRoot is the newest message with the text that can have a thread: nobody can
// reply to what only one person sees.
func (p *Person) newestRoot(text string) (workspace.Message, bool) {
	return p.newestOf(text, func(m workspace.Message) bool { return !m.Ephemeral })
}

// newestSaid is the newest message with the text that a person wrote, not an app.
func (p *Person) newestSaid(text string) (workspace.Message, bool) {
	return p.newestOf(text, func(m workspace.Message) bool { return m.BotID == "" })
}

// own waits for the newest message of one's own that holds the text.
func (p *Person) own(text string) (workspace.Message, error) {
	var m workspace.Message
	err := p.until("a message of one's own with "+quoted(text), func() bool {
		var found bool
		m, found = p.newestOf(text, func(m workspace.Message) bool { return m.BotID == "" && m.User == p.user.ID })
		return found
	})
	return m, err
}

func (p *Person) newestOf(text string, fits func(workspace.Message) bool) (workspace.Message, bool) {
	for _, thread := range []string{"", p.thread} {
		for _, m := range slices.Backward(p.win.Visible(p.channel, thread)) {
			if !p.home && fits(m) && holds(p.words(surface{message: &m}), text) {
				return m, true
			}
		}
	}
	return workspace.Message{}, false
}

// Card is the newest message here that holds the text.
func (p *Person) Card(text string) (workspace.Message, error) {
	var m workspace.Message
	err := p.until("a message with "+quoted(text), func() bool {
		var found bool
		m, found = p.newest(text)
		return found
	})
	return m, err
}
