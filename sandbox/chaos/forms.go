package chaos

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"darkroom/sandbox/person"
	"darkroom/sandbox/workspace"
)

// form is one modal that a person opens, fills in and submits.
type form struct {
	open    func() bool                 // asks for it; false: it did not work
	label   string                      // of a field that it has; "" is any
	ready   func(v workspace.View) bool // it can be filled in and sent; nil: at once
	fields  map[string]string
	times   workspace.Times
	arrived func() bool // the service has it
}

// How long people wait. Money of unknown outcome takes the service's deadline and two
// minutes to be settled.
const (
	look        = 150 * time.Millisecond
	openingTime = 10 * time.Second
	actPatience = 5 * time.Minute
)

func (o Options) patience() time.Duration { return cmp.Or(o.Patience, actPatience) }

// submit goes through a form until the service has what it asks for, the person was told
// otherwise, or their patience is over. They do what the screen tells them.
func (p *player) submit(ctx context.Context, a *act, f form) bool {
	s := &sitting{player: p, act: a, form: f, heard: p.heard()}
	defer s.leave()
	deadline := time.Now().Add(p.o.patience())
	if a.kind == actOrder && !p.o.Gentle { // and perhaps once more
		deadline = deadline.Add(p.o.patience() / 2)
	}
	for ctx.Err() == nil && time.Now().Before(deadline) {
		if f.arrived() {
			a.ack() // by whatever way: it was taken
			a.finish("")
			return true
		}
		if over := s.step(); over {
			return f.arrived()
		}
		pause(ctx, look)
	}
	p.ledger.note("gave up waiting: " + a.kind)
	return false
}

// sitting is one person before one form.
type sitting struct {
	*player
	act      *act
	form     form
	heard    heard     // when they sat down
	asked    time.Time // when the form was asked for
	sent     string    // the hash of the view that was submitted
	window   string    // its external id
	gaveBack int       // how often the form came back
}

// step looks at the screen and does what it says; true when nothing more will come.
func (s *sitting) step() bool {
	v, says, open := s.modal()
	switch {
	case !open:
		return s.closed()
	case v.Submit != "" && (v.Notice != "" || unconfirmed.MatchString(says)):
		return s.send(v) // submitting again is safe
	case v.Submit != "" && s.another(v):
		_ = s.win.CloseModal()
		return false
	case v.Submit != "" && v.Hash != s.sent:
		return s.fillIn(v, says)
	case held.MatchString(says):
		s.act.ack()
		_ = s.win.CloseModal()
		return false
	case twice.MatchString(says):
		return s.stands(says)
	case s.press(workspace.Target{View: v.ID}, v.Blocks, "Try Again", workspace.Once):
		s.ledger.note("pressed Try again")
		return false
	case s.act.acked.IsZero() && time.Since(s.asked) > openingTime: // a window that nobody fills
		_ = s.win.CloseModal()
		s.sent = ""
		return false
	}
	return s.stands(says)
}

// another tells a form that was asked for as well, when the first took long to open, and
// that comes after the first was taken: filled in, it would be a second order.
func (s *sitting) another(v workspace.View) bool {
	return !s.act.acked.IsZero() && s.window != "" && v.ExternalID != s.window
}

// closed opens the form, or goes by what they were told when it was sent already.
func (s *sitting) closed() bool {
	if !s.act.acked.IsZero() {
		return s.stands(s.toldSince(s.heard))
	}
	if time.Since(s.asked) < time.Second {
		return false
	}
	s.asked = time.Now()
	if !s.form.open() {
		s.ledger.note("could not open a form")
	}
	return false
}

// fillIn fills the form in and submits it; one that comes back says why.
func (s *sitting) fillIn(v workspace.View, says string) bool {
	if s.unfold(v) {
		return false // the form is drawn anew
	}
	if _, there := field(v, s.form.label); !there && s.form.label != "" || s.form.ready != nil && !s.form.ready(v) {
		return false
	}
	if s.sent != "" {
		if s.gaveBack++; s.gaveBack > 3 {
			s.act.finish(says)
			return true
		}
		s.ledger.note("form came back: " + s.act.kind)
	}
	if !s.fill(v, s.form.fields) {
		return false
	}
	return s.send(v)
}

// unfold presses More Options if a field to fill in is behind it.
func (s *sitting) unfold(v workspace.View) bool {
	labels := append(slices.Collect(maps.Keys(s.form.fields)), s.form.label)
	return slices.ContainsFunc(labels, func(label string) bool {
		_, there := field(v, label)
		return !there && slices.Contains(person.Folded, label)
	}) && s.press(workspace.Target{View: v.ID}, v.Blocks, person.MoreOptions, workspace.Once)
}

// send submits what is before the person.
func (s *sitting) send(v workspace.View) bool {
	s.act.tries++
	s.sent, s.window = v.Hash, v.ExternalID
	if s.win.Submit(s.form.times) != nil {
		return false
	}
	after, says, open := s.modal()
	switch {
	case open && after.Submit != "" && (after.Notice != "" || unconfirmed.MatchString(says)):
		s.ledger.note("submission not confirmed")
	case open && len(after.Errors) > 0:
		s.ledger.note("refused at once: " + firstLine(says))
	default:
		s.act.ack()
	}
	return false
}

// stands goes by a sentence: the person was told that it was not done, or waits.
func (s *sitting) stands(says string) bool {
	if len(s.act.parts) > 0 { // of each it is told alone
		return false
	}
	if s.act.acked.IsZero() || !otherwise.MatchString(says) || promised.MatchString(says) {
		return false
	}
	s.act.finish(says)
	s.ledger.note("told otherwise: " + s.act.kind)
	return true
}

// leave closes the window.
func (s *sitting) leave() {
	if _, open := s.win.Modal(); open {
		_ = s.win.CloseModal()
	}
}

// say types a line that acts at once, again when it was not confirmed.
func (p *player) say(ctx context.Context, a *act, line string, arrived func() bool) bool {
	return p.acts(ctx, a, func() bool { return p.win.Command(p.channel, line) == nil }, arrived)
}

// acts does what needs no form, again when it was not confirmed. Of a line Slack's answer says so; of a button a message
// does, which comes later.
func (p *player) acts(ctx context.Context, a *act, do func() bool, arrived func() bool) bool {
	deadline := time.Now().Add(p.o.patience())
	for ctx.Err() == nil && time.Now().Before(deadline) {
		before := p.heard()
		a.tries++
		unsure := func() bool { return unconfirmed.MatchString(p.toldSince(before)) }
		taken := do() && !unsure()
		if taken {
			a.ack()
			told := func() bool {
				says := p.toldSince(before)
				return otherwise.MatchString(says) && !promised.MatchString(says)
			}
			poll(ctx, time.Until(deadline), look, func() bool { return arrived() || told() || unsure() })
			if !arrived() && told() {
				a.finish(p.toldSince(before))
				p.ledger.note("told otherwise: " + a.kind)
				return false
			}
		}
		if arrived() || taken && !unsure() {
			break
		}
		a.unconfirmed()
		p.ledger.note("not confirmed: " + a.kind)
		pause(ctx, time.Second)
	}
	if !arrived() {
		p.ledger.note("gave up waiting: " + a.kind)
		return false
	}
	a.finish("")
	return true
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
