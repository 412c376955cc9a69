package cards

import (
	"darkroom/order"
	"darkroom/store"
)

// again says from which order a form was filled in, and what of it is not in the form.
func (p *builder) again(t *store.Tracked) {
	if t == nil {
		return
	}
	from := "Filled in from *" + project(*t) + "*. "
	if t.Brief == nil {
		p.say(from + "I have no record of what was asked for then.")
		return
	}
	p.say(from + "Its photos are not taken along: add the new ones below.")
	own := append(t.Brief.Differences(), t.Brief.References()...)
	p.someBullets("Not taken along either is what was asked for single images, which are others now:", maxAsked/2,
		each(own, func(_ int, s order.NumberedSource) string { return difference(s, maxOwn) }))
}
