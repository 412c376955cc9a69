package page

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"unicode/utf8"

	"darkroom/sandbox/workspace"
)

// What one act carries.
const (
	maxAct  = 1 << 20 // bytes: a modal's largest field many times
	maxText = 40_000  // characters of a message
	maxSaid = 10      // files of a message; Slack takes no more at once
)

// deed is what a person does, with all that any act needs.
type deed struct {
	Channel  string         `json:"channel"`
	TS       string         `json:"ts"`
	Thread   string         `json:"thread"`
	Text     string         `json:"text"`
	Line     string         `json:"line"`
	Typed    string         `json:"typed"`
	Callback string         `json:"callback"`
	Files    []string       `json:"files"` // refs of staged files
	Target   target         `json:"target"`
	State    map[string]any `json:"state"`
}

// target is an element before the person.
type target struct {
	View    string `json:"view"`
	Channel string `json:"channel"`
	TS      string `json:"ts"`
	Block   string `json:"block"`
	Action  string `json:"action"`
}

func (t target) wired() workspace.Target {
	return workspace.Target{View: t.View, Channel: t.Channel, TS: t.TS, Block: t.Block, Action: t.Action}
}

// acts are all that a person can do; each returns when the app has acknowledged, or its
// time is over.
var acts = map[string]func(p *Page, s *seat, d deed) (any, error){
	"say":              (*Page).say,
	"command":          (*Page).command,
	"give":             (*Page).give,
	"suggest":          suggest,
	"act":              done(func(s *seat, d deed) error { return s.win.Act(d.Target.wired(), d.State, workspace.Once) }),
	"submit":           done(func(s *seat, _ deed) error { return s.win.Submit(workspace.Once) }),
	"cancel":           done(func(s *seat, _ deed) error { return s.win.Cancel() }),
	"close":            done(func(s *seat, _ deed) error { return s.win.CloseModal() }),
	"reload":           done(func(s *seat, _ deed) error { s.win.Reload(); return nil }),
	"shortcut":         shortcut,
	"message_shortcut": done(messageShortcut),
	"open_home":        done(func(s *seat, _ deed) error { s.win.OpenHome(); return nil }),
	"open_messages":    done(func(s *seat, _ deed) error { s.win.OpenMessages(); return nil }),
	"dismiss":          done(func(s *seat, d deed) error { return s.win.Dismiss(d.TS) }),
	"read": func(p *Page, s *seat, d deed) (any, error) {
		s.win.Stand(d.Channel)
		p.markRead(s, d.Channel)
		return nil, nil
	},
}

// done is an act that answers nothing.
func done(do func(*seat, deed) error) func(*Page, *seat, deed) (any, error) {
	return func(_ *Page, s *seat, d deed) (any, error) { return nil, do(s, d) }
}

// act does what the path names.
func (p *Page) act(rw http.ResponseWriter, r *http.Request, s *seat) {
	do, known := acts[r.PathValue("act")]
	if !known {
		refuse(rw, errNoSuchPage)
		return
	}
	var d deed
	err := json.NewDecoder(http.MaxBytesReader(rw, r.Body, maxAct)).Decode(&d)
	if err != nil && !errors.Is(err, io.EOF) {
		refuse(rw, fmt.Errorf("this was not understood: %w", err))
		return
	}
	p.acted(r.PathValue("act"), d)
	out, err := do(p, s, d)
	if err != nil {
		refuse(rw, err)
		return
	}
	if out == nil {
		out = struct{}{}
	}
	answer(rw, http.StatusOK, out)
}

var errReadOnly = refusal{http.StatusForbidden, "Sending messages to this app has been turned off."}

// say posts a message as the person.
func (p *Page) say(s *seat, d deed) (any, error) {
	if err := p.writable(d.Channel); err != nil {
		return nil, err
	}
	if strings.TrimSpace(d.Text) == "" && len(d.Files) == 0 {
		return nil, errors.New("there is nothing to send")
	}
	if utf8.RuneCountInString(d.Text) > maxText {
		return nil, tooMuch("A message has at most %d characters.", maxText)
	}
	if len(d.Files) > maxSaid {
		return nil, tooMuch("A message takes at most %d files.", maxSaid)
	}
	files, err := p.staged(s, d.Files)
	if err != nil {
		return nil, err
	}
	if err := s.win.Say(d.Channel, d.Thread, d.Text, files...); err != nil {
		return nil, err
	}
	p.unstage(d.Files)
	return nil, nil
}

// writable tells why nobody can write in the channel; nil when people can.
func (p *Page) writable(channel string) error {
	if p.o.ReadOnly && p.ws.Channel(channel).IM != "" {
		return errReadOnly
	}
	return nil
}

// command runs a slash command that exists: the app's, or one of Slack's own.
func (p *Page) command(s *seat, d deed) (any, error) {
	if err := p.writable(d.Channel); err != nil {
		return nil, err
	}
	word, _, _ := strings.Cut(d.Line, " ")
	for _, c := range p.commands() {
		if c.Command == word {
			return nil, s.win.Command(d.Channel, d.Line)
		}
	}
	return nil, fmt.Errorf("%s is not a valid command. To send it as a message, begin with a blank", word)
}

// suggest asks the app for the options of an external select.
func suggest(_ *Page, s *seat, d deed) (any, error) {
	offered, err := s.win.Offered(d.Target.wired(), d.Typed)
	if err != nil {
		return nil, err
	}
	if groups, grouped := offered["option_groups"]; grouped {
		return map[string]any{"groups": groups}, nil
	}
	options, given := offered["options"]
	if !given {
		options = []any{}
	}
	return map[string]any{"options": options}, nil
}

// shortcut runs one of the app's global shortcuts.
func shortcut(_ *Page, s *seat, d deed) (any, error) {
	if !declared(s.win.Shortcuts(false), d.Callback) {
		return nil, workspace.ErrGone
	}
	s.win.Shortcut(d.Callback, workspace.Once)
	return nil, nil
}

func messageShortcut(s *seat, d deed) error {
	if !declared(s.win.Shortcuts(true), d.Callback) {
		return workspace.ErrGone
	}
	return s.win.MessageShortcut(d.Channel, d.TS, d.Callback, workspace.Once)
}

func declared(all []workspace.Shortcut, callback string) bool {
	for _, s := range all {
		if s.Callback == callback {
			return true
		}
	}
	return false
}
