package person

import (
	"errors"
	"strings"

	"darkroom/sandbox/workspace"
)

// Type writes a line and sends it: a slash command, else a message in the
// open thread or place. @names and #names become mentions.
func (p *Person) Type(line string) error {
	if strings.HasPrefix(line, "/") && !strings.HasPrefix(line, "//") {
		if p.thread != "" {
			return p.lost(errors.New(line + ": slash commands do not work in threads"))
		}
		return p.win.Command(p.channel, line)
	}
	return p.Share(line)
}

// Share sends a message with files.
func (p *Person) Share(text string, files ...workspace.Upload) error {
	return p.win.Say(p.channel, p.thread, text, files...)
}

// EditMessage changes the newest message of one's own that holds the text.
func (p *Person) EditMessage(old, text string) error {
	m, err := p.own(old)
	if err != nil {
		return err
	}
	return p.win.EditMessage(m.Channel, m.TS, text)
}

// DeleteMessage removes the newest message of one's own that holds the text.
func (p *Person) DeleteMessage(text string) error {
	m, err := p.own(text)
	if err != nil {
		return err
	}
	return p.win.DeleteMessage(m.Channel, m.TS)
}

// Press presses the button, or the entry of an overflow menu, with the label:
// of the open dialog, else of the modal, the thread, the place, newest first.
func (p *Person) Press(button string) error { return p.push(button, "", workspace.Once) }

// PressOn presses the button that belongs to the text: in the row of the open
// modal or Home that holds it, else on the newest message that does.
func (p *Person) PressOn(message, button string) error {
	return p.push(button, message, workspace.Once)
}

// Follow presses the button that is a link and belongs to the text, as in [Person.PressOn], and says which address
// the browser opens. Slack tells the app of it, too.
func (p *Person) Follow(message, button string) (address string, err error) {
	err = p.attempt("link "+quoted(button), func() error {
		found, there := p.button(button, p.where(message))
		if address = str(found.element, "url"); !there || address == "" {
			return errNotThere
		}
		return p.win.Act(found.target, found.state, workspace.Once)
	})
	return address, err
}

// PressTwice is a double click: two clicks at once.
func (p *Person) PressTwice(button string) error { return p.push(button, "", workspace.Twice) }

// PressReplayed is one click that reaches the app twice.
func (p *Person) PressReplayed(button string) error { return p.push(button, "", workspace.Replayed) }

func (p *Person) push(button, message string, times workspace.Times) error {
	if p.dialog != nil {
		return p.answer(button)
	}
	return p.attempt("button "+quoted(button), func() error {
		if v, open := p.win.Modal(); open && message == "" {
			switch {
			case named(v.Submit, button):
				return p.win.Submit(times)
			case named(either(v.Close, "Cancel"), button):
				return p.win.Cancel()
			}
		}
		found, there := p.button(button, p.where(message))
		if !there {
			return errNotThere
		}
		if texts, asks := found.element["confirm"].(object); asks {
			p.dialog = &dialog{press: found, times: times, texts: texts}
			return nil
		}
		return p.win.Act(found.target, found.state, times)
	})
}

// where is what the text belongs to, or everything on the screen.
func (p *Person) where(message string) []surface {
	if message == "" {
		return p.surfaces()
	}
	if v, open := p.win.Modal(); open {
		if row, found := p.row(v, message); found {
			return []surface{row}
		}
	}
	if home, published := p.win.Home(); published && p.home {
		if row, found := p.row(home, message); found {
			return []surface{row}
		}
	}
	m, found := p.newest(message)
	if !found {
		return nil
	}
	return []surface{p.part(m, message)}
}

// answer presses one of the two buttons of the open dialog.
func (p *Person) answer(button string) error {
	d := p.dialog
	switch {
	case named(button, p.text(d.texts["confirm"])):
		p.dialog = nil
		return p.win.Act(d.press.target, d.press.state, d.times)
	case named(button, p.text(d.texts["deny"])):
		p.dialog = nil
		return nil
	}
	return p.lost(errors.New("button " + quoted(button) + ": a dialog is open"))
}

// Submit presses the modal's submit button.
func (p *Person) Submit() error { return p.submit(workspace.Once) }

// SubmitTwice is a double click on the submit button.
func (p *Person) SubmitTwice() error { return p.submit(workspace.Twice) }

// SubmitReplayed is one submission that reaches the app twice.
func (p *Person) SubmitReplayed() error { return p.submit(workspace.Replayed) }

func (p *Person) submit(times workspace.Times) error {
	return p.attempt("a modal to submit", func() error {
		if v, open := p.win.Modal(); !open || v.Submit == "" {
			return errNotThere
		}
		return p.win.Submit(times)
	})
}

// Cancel presses the modal's close button: the view below comes back.
func (p *Person) Cancel() error { return p.attempt("an open modal", p.win.Cancel) }

// CloseModal presses the modal's x: all its views go.
func (p *Person) CloseModal() error { return p.attempt("an open modal", p.win.CloseModal) }

// Shortcut runs the app's global shortcut of that name.
func (p *Person) Shortcut(name string) error {
	for _, s := range p.win.Shortcuts(false) {
		if s.Name == name {
			p.win.Shortcut(s.Callback, workspace.Once)
			return nil
		}
	}
	return p.lost(errors.New("shortcut " + quoted(name) + ": the app has none of that name"))
}

// MessageShortcut runs the shortcut from the menu of the newest message, here
// or in the open thread, that holds the text.
func (p *Person) MessageShortcut(message, name string) error {
	m, err := p.Card(message)
	if err != nil {
		return err
	}
	for _, s := range p.win.Shortcuts(true) {
		if s.Name == name {
			return p.win.MessageShortcut(m.Channel, m.TS, s.Callback, workspace.Once)
		}
	}
	return p.lost(errors.New("message shortcut " + quoted(name) + ": the app has none of that name"))
}
