package chaos

// errand is what some people do instead of the course of one order. Who they are is no draw, so that one
// more leaves what the others do as it was.
type errand struct {
	of, n  int // those whose number leaves n when it is divided by of
	course func(*player) []step
}

// errands are all of them.
var errands = []errand{
	{5, 2, (*player).collects},
	{10, 4, (*player).places},
	{10, 6, (*player).spends},
}

// errand is the course of this person's errand; nil when they have none.
func (p *player) errand() []step {
	for _, e := range errands {
		if p.o.Errands && p.n%e.of == e.n {
			return e.course(p)
		}
	}
	return nil
}

// another is the same person with one more order, the nth.
func (p *player) another(n int) *player {
	n = p.n + 1000*n
	return &player{hand: p.hand, world: p.world, n: n, rand: p.rand, project: projectName(n)}
}

// collects places three orders, two of them by what was asked for before, and approves in one form what
// is ticked there. The third is either not ticked, or handed in anew once it is: it stays open both ways.
func (p *player) collects() []step {
	second, third := p.another(1), p.another(2)
	steps := []step{
		p.place, p.shown("Placed", 1), p.savePreset,
		second.placeAs(func() string { return p.preset }), second.shown("Placed", 1),
		third.placeAs(func() string { return "Same as last order" }), third.shown("Placed", 1),
	}
	for _, one := range []*player{p, second, third} {
		steps = append(steps, one.deliver, one.shown("Ready for review", 1))
	}
	overtaken := third
	if p.chance(50) {
		overtaken = nil
	}
	return append(steps, p.approveSeveral(overtaken, p, second), p.shown("Approved", 1), second.shown("Approved", 1))
}
