// Package person is the hand and the eye of every story: somebody at a Slack
// client who sees only labels and text.
//
// A [Person] finds things as people do, by what is on the screen, and waits
// for them, woken by the workspace; whatever is not there after their patience
// is an error that holds the whole screen. Nothing here knows a block id, an
// action id or a callback: a story that passes is one a person could live.
package person

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"darkroom/sandbox/workspace"
)

// Options say how a person is.
type Options struct {
	Patience time.Duration // how long they wait for what they look for; 0: 10 s
}

// Person is one person in front of one Slack window. It is one pair of hands:
// its methods are not for concurrent use; two windows are two Persons.
type Person struct {
	ws      *workspace.Workspace
	win     *workspace.Window
	user    workspace.User
	o       Options
	channel string // id of the open conversation
	home    bool   // the App Home is open instead
	thread  string // root of the open thread; "": none
	dialog  *dialog
	looks   map[string]string // how texts with markup look that were read before
	opened  string            // hash of the view in which they pressed [MoreOptions]
}

// New is the named person, in the first channel they are a member of.
func New(ws *workspace.Workspace, name string, o Options) *Person {
	if o.Patience == 0 {
		o.Patience = 10 * time.Second
	}
	p := &Person{ws: ws, win: ws.Window(name), user: ws.User(name), o: o, looks: map[string]string{}}
	for _, c := range p.win.Channels() {
		if c.IM == "" {
			p.channel = c.ID
			break
		}
	}
	return p
}

// SecondWindow is another window of the same person, with its own modal and
// its own place.
func (p *Person) SecondWindow() *Person {
	other := New(p.ws, p.user.ID, p.o)
	other.channel = p.channel
	return other
}

// Goto opens a channel ("#shoots") or the direct message with the app
// ("@darkroom").
func (p *Person) Goto(place string) error {
	if bot := p.ws.User(place); strings.HasPrefix(place, "@") && bot.Bot {
		p.win.OpenMessages()
		p.stand(p.ws.DirectMessage(p.user.ID).ID)
		return nil
	}
	return p.until("channel "+place, func() bool {
		c := p.ws.Channel(place)
		if !c.Has(p.user.ID) {
			return false
		}
		p.stand(c.ID)
		return true
	})
}

func (p *Person) stand(channel string) { p.channel, p.home, p.thread = channel, false, "" }

// OpenHome opens the App Home.
func (p *Person) OpenHome() error {
	p.home, p.thread = true, ""
	p.win.OpenHome()
	return nil
}

// OpenThread opens the thread of the newest message here that holds the text.
func (p *Person) OpenThread(text string) error {
	return p.until("a message with "+quoted(text), func() bool {
		m, found := p.newestRoot(text)
		if found {
			p.thread = rootOf(m)
		}
		return found
	})
}

// Reload loads the client anew: messages that only they saw are gone, and a form that was open.
func (p *Person) Reload() error {
	p.win.Reload()
	p.dialog, p.thread = nil, ""
	return nil
}

// CloseThread leaves the open thread.
func (p *Person) CloseThread() error {
	p.thread = ""
	return nil
}

// until waits for what is looked for, or says what is on the screen instead.
func (p *Person) until(what string, look func() bool) error {
	ctx, cancel := context.WithTimeout(context.Background(), p.o.Patience)
	defer cancel()
	if p.ws.Wait(ctx, look) == nil {
		return nil
	}
	return p.lost(fmt.Errorf("%s: not found in %s", what, p.o.Patience))
}

// attempt waits until the hand succeeds; an error that is not "not there"
// ends the waiting.
func (p *Person) attempt(what string, try func() error) error {
	var failed error
	err := p.until(what, func() bool {
		failed = try()
		return !errors.Is(failed, errNotThere) && !errors.Is(failed, workspace.ErrGone)
	})
	if err != nil {
		return err
	}
	if failed != nil {
		return p.lost(fmt.Errorf("%s: %w", what, failed))
	}
	return nil
}

var errNotThere = errors.New("not there")

func (p *Person) lost(err error) error {
	return fmt.Errorf("%w\n%s", err, p.Screen())
}

func quoted(text string) string { return fmt.Sprintf("%q", text) }

func rootOf(m workspace.Message) string {
	if m.ThreadTS != "" {
		return m.ThreadTS
	}
	return m.TS
}
