package person

import (
	"fmt"
	"slices"

	"darkroom/sandbox/workspace"
)

// SeesModal waits for a modal with the title.
func (p *Person) SeesModal(title string) error {
	return p.until("modal "+quoted(title), func() bool {
		v, open := p.win.Modal()
		return open && equal(v.Title, title)
	})
}

// SeesNoModal waits until no modal is open.
func (p *Person) SeesNoModal() error {
	return p.until("no modal", func() bool {
		_, open := p.win.Modal()
		return !open
	})
}

// SeesError waits for the text beside the field with the label.
func (p *Person) SeesError(label, text string) error {
	return p.until(fmt.Sprintf("error %q beside %q", text, label), func() bool {
		s, found := p.field(label)
		return found && s.surface.view != nil && holds(s.surface.view.Errors[s.target.Block], text) &&
			s.surface.view.Errors[s.target.Block] != ""
	})
}

// SeesValue waits until the field with the label holds the value, as it reads.
func (p *Person) SeesValue(label, value string) error {
	return p.until(fmt.Sprintf("%q in field %q", value, label), func() bool {
		s, found := p.unfolded(label, p.surfaces)
		return found && equal(p.shown(workspace.ValueIn(s.state())), value)
	})
}

// Sees waits for the text anywhere on the screen.
func (p *Person) Sees(text string) error {
	return p.until(quoted(text), func() bool { return holds(p.Screen(), text) })
}

// DoesNotSee waits until the text is nowhere on the screen.
func (p *Person) DoesNotSee(text string) error {
	return p.until("no "+quoted(text), func() bool { return !holds(p.Screen(), text) })
}

// SeesInThread waits for the text in the thread of the newest message here
// that holds the card's text.
func (p *Person) SeesInThread(card, text string) error {
	return p.until(fmt.Sprintf("%q in the thread of %q", text, card), func() bool { return p.inThread(card, text) })
}

// DoesNotSeeInThread waits until the text is not in that thread.
func (p *Person) DoesNotSeeInThread(card, text string) error {
	return p.until(fmt.Sprintf("no %q in the thread of %q", text, card), func() bool {
		_, found := p.newestRoot(card)
		return found && !p.inThread(card, text)
	})
}

func (p *Person) inThread(card, text string) bool {
	m, found := p.newestRoot(card)
	if !found {
		return false
	}
	root := rootOf(m)
	return slices.ContainsFunc(p.win.Visible(p.channel, root), func(reply workspace.Message) bool {
		return reply.TS != root && holds(p.messageWords(reply), text)
	})
}

// SeesBroadcast waits for a reply that was also sent to the channel.
func (p *Person) SeesBroadcast(text string) error {
	return p.until("broadcast "+quoted(text), func() bool {
		return p.some(p.channel, func(m workspace.Message) bool { return m.Broadcast && holds(p.messageWords(m), text) })
	})
}

func (p *Person) some(channel string, wanted func(workspace.Message) bool) bool {
	return slices.ContainsFunc(p.win.Visible(channel, ""), wanted)
}

// SeesThumbnails waits until the front-most, newest thing with pictures shows
// exactly n.
func (p *Person) SeesThumbnails(n int) error {
	return p.until(fmt.Sprintf("%d thumbnails", n), func() bool {
		for _, s := range p.surfaces() {
			if shown := s.pictures(); shown > 0 {
				return shown == n
			}
		}
		return n == 0
	})
}

func (s surface) pictures() int {
	n := 0
	for _, b := range workspace.Every(s.blocks()) {
		if str(b, "type") == "image" {
			n++
		}
		for _, e := range workspace.Elements(b) {
			if str(e, "type") == "image" {
				n++
			}
		}
	}
	return n
}

// SeesButton waits for a button, or an entry of an overflow menu.
func (p *Person) SeesButton(label string) error {
	return p.until("button "+quoted(label), func() bool {
		_, found := p.button(label, p.surfaces())
		return found || p.modalButton(label)
	})
}

// SeesNoButton waits until no such button is on the screen.
func (p *Person) SeesNoButton(label string) error {
	return p.until("no button "+quoted(label), func() bool {
		_, found := p.button(label, p.surfaces())
		return !found && !p.modalButton(label)
	})
}

func (p *Person) modalButton(label string) bool {
	v, open := p.win.Modal()
	return open && (v.Submit == label || either(v.Close, "Cancel") == label)
}

// SeesButtonOn waits for a button that belongs to the text, as PressOn finds it.
func (p *Person) SeesButtonOn(message, label string) error {
	return p.until(fmt.Sprintf("button %q on %q", label, message), func() bool {
		_, found := p.button(label, p.where(message))
		return found
	})
}

// SeesNoButtonOn waits until what the text belongs to has no such button.
func (p *Person) SeesNoButtonOn(message, label string) error {
	return p.until(fmt.Sprintf("no button %q on %q", label, message), func() bool {
		surfaces := p.where(message)
		_, found := p.button(label, surfaces)
		return len(surfaces) > 0 && !found
	})
}

// SeesDM waits for a message of the app to this person alone, in their direct
// conversation, wherever they stand.
func (p *Person) SeesDM(text string) error {
	return p.until("direct message "+quoted(text), func() bool {
		for _, c := range p.win.Channels() {
			if c.IM == p.user.ID {
				return p.some(c.ID, func(m workspace.Message) bool { return m.BotID != "" && holds(p.messageWords(m), text) })
			}
		}
		return false
	})
}

// SeesHome waits for the text in the App Home, open or not.
func (p *Person) SeesHome(text string) error {
	return p.until("App Home with "+quoted(text), func() bool { return holds(p.homeWords(), text) })
}

// SeesReaction waits for the emoji under the newest message of a person that holds the text.
func (p *Person) SeesReaction(message, emoji string) error {
	return p.until(fmt.Sprintf(":%s: under %q", emoji, message), func() bool {
		m, found := p.newestSaid(message)
		return found && slices.ContainsFunc(m.Reactions, func(r workspace.Reaction) bool { return r.Name == emoji })
	})
}

// SeesNoReaction waits until the newest message of a person that holds the text is
// without the emoji.
func (p *Person) SeesNoReaction(message, emoji string) error {
	return p.until(fmt.Sprintf("no :%s: under %q", emoji, message), func() bool {
		m, found := p.newestSaid(message)
		return found && !slices.ContainsFunc(m.Reactions, func(r workspace.Reaction) bool { return r.Name == emoji })
	})
}

// SeesEphemeral waits for a message here that only this person sees.
func (p *Person) SeesEphemeral(text string) error {
	return p.until("only visible to them: "+quoted(text), func() bool {
		return p.some(p.channel, func(m workspace.Message) bool { return m.Ephemeral && holds(p.messageWords(m), text) })
	})
}
