package place

import (
	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"
)

// addSource says from which order the form was filled in, and what was left out.
func addSource(p *kit.Page, t *store.Tracked) {
	if t == nil {
		return
	}
	from := "Filled in from *" + cards.Project(*t) + "*. "
	if t.Brief == nil {
		p.Say(from + "I have no record of what was asked for then.")
		return
	}
	p.Say(from + "Its photos are not taken along: add the new ones below.")
	own := append(t.Brief.Differences(), t.Brief.References()...)
	cards.AddSomeBullets(p, "Not taken along either is what was asked for single images, which are others now:", cards.MaxAsked/2,
		kit.Map(own, func(_ int, s order.NumberedSource) string { return cards.Difference(s, cards.MaxOwn) }))
}
