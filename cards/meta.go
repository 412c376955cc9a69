package cards

import (
	"cmp"
	"slices"

	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"
)

// MetaOf binds a form to the order as it is shown.
func MetaOf(t store.Tracked) kit.Meta {
	return kit.Meta{Order: t.ID, Revision: t.Order.Rev(), Pictures: Pictures(t)}
}

// Pictures tells which pictures an order has, in a word that a form remembers.
func Pictures(t store.Tracked) string {
	return cmp.Or(order.Fingerprint(t.Order.EditedImages), "none")
}

// Newer tells whether the order has another revision, or other pictures, than the form was
// bound to: what was not seen is not approved. A form of the release before says nothing of
// its pictures: then those of a later revision count.
func Newer(t store.Tracked, revision int, seen string) bool {
	if seen == "" {
		later := func(image order.EditedImage) bool { return image.Revision > revision }
		return t.Order.Rev() != revision || slices.ContainsFunc(t.Order.EditedImages, later)
	}
	return t.Order.Rev() != revision || Pictures(t) != seen
}
