package chaos

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"darkroom/sandbox/photos"
	"darkroom/sandbox/workspace"
)

// selection is one person before the form that approves several orders.
type selection struct {
	*player
	ticked    []*player
	overtaken *player // is handed in anew between its tick and the sending of the form; nil: none is
	form      *act    // its parts are what is ticked
	heard     heard
	told      map[*player]string // of those that are not approved
}

// approveSeveral approves in one form from the Home what is ticked there.
func (p *player) approveSeveral(overtaken *player, ticked ...*player) step {
	return func(ctx context.Context) bool {
		s := &selection{player: p, ticked: ticked, overtaken: overtaken, form: &act{kind: actTicked}, heard: p.heard(), told: map[*player]string{}}
		if overtaken != nil {
			s.ticked = append(slices.Clone(ticked), overtaken)
		}
		for _, one := range s.ticked {
			s.form.parts = append(s.form.parts, one.act(actTicked, one.name()))
		}
		over := p.submit(ctx, s.form, form{open: s.fromHome(ctx), ready: s.tick, times: p.times(), arrived: s.settled})
		for i, one := range s.ticked {
			part := s.form.parts[i]
			part.tries = s.form.tries
			if over {
				part.finish(s.told[one])
			}
		}
		return over
	}
}

// name is what everybody calls the order, however much of it there is room for.
func (p *player) name() string { return p.project[:len("Chaos 0000")] }

// approved asks the service.
func (p *player) approved() bool {
	return p.has(func(o photos.Order) bool { return o.Approvals > 0 })()
}

// fromHome opens the Home and presses its button.
func (s *selection) fromHome(ctx context.Context) func() bool {
	return func() bool {
		s.win.OpenHome()
		return poll(ctx, openingTime/2, look, func() bool {
			home, open := s.win.Home()
			return open && s.press(workspace.Target{View: home.ID}, home.Blocks, "Approve Several Orders", workspace.Once)
		})
	}
}

// tick ticks what is approved, and notes the pictures beside it.
func (s *selection) tick(v workspace.View) bool {
	for i, one := range s.ticked {
		box, found := fieldOf(v, func(label string) bool { return one.isAbout(label) })
		if !found || !s.choose(box, "Approve") {
			s.ledger.note("a form without all that wait")
			_ = s.win.CloseModal()
			return false
		}
		o, _ := s.Photos.Order(one.order)
		s.form.parts[i].beside = pictures(o)
	}
	if s.overtaken != nil {
		if err := s.Photos.Replace(s.overtaken.order); err != nil {
			s.ledger.note("not handed in anew: " + err.Error())
		}
		s.overtaken = nil
	}
	return true
}

// settled tells that each is approved, or that the person was told that it is not.
func (s *selection) settled() bool {
	if s.form.acked.IsZero() {
		return false
	}
	settled := true
	for _, one := range s.ticked {
		if s.told[one] = s.refused(one); s.told[one] == "" && !one.approved() {
			settled = false
		}
	}
	return settled
}

// unapproved is how people are told that an order which they ticked is not approved.
var unapproved = regexp.MustCompile(`\*not\* approved|cannot tell yet|do not know yet|` + otherwise.String())

// refused is what was said of one that is not approved, in the window or to its person alone.
func (s *selection) refused(one *player) string {
	if one.approved() {
		return ""
	}
	_, says, _ := s.modal()
	for line := range strings.Lines(says + s.toldSince(s.heard)) {
		if one.isAbout(line) && unapproved.MatchString(line) && !promised.MatchString(line) {
			return strings.TrimSpace(line)
		}
	}
	return ""
}
