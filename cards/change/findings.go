package change

import (
	"strings"

	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"
)

// WithFindings adds what to ask the editor, by what was found about the newest delivery. Photos that somebody found good
// are left out, and so is what a box cannot hold.
func (c Changes) WithFindings(t store.Tracked) Changes {
	reply, _ := t.Delivery()
	for _, image := range order.Latest(t.Order.EditedImages) {
		asks := cards.AsksOf(reply.Inspection, image)
		words := kit.Join("\n", c.wordsFor(image.ID), strings.Join(asks, "\n"))
		if len(asks) > 0 && !t.Verdicts.Good(image) && kit.Units(words) <= kit.MaxInput {
			c = c.withPage([]ImageText{{ID: image.ID, Name: image.Name, Words: words}})
			c.Found = true
		}
	}
	return c
}
