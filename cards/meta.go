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

// Pictures returns the fingerprint of an order's images, or "none".
func Pictures(t store.Tracked) string {
	return cmp.Or(order.Fingerprint(t.Order.EditedImages), "none")
}

// Newer reports whether the order has another revision or other images than the form showed. People must not
// approve images that they did not see. A form from before an upgrade has no fingerprint: then only images of
// later revisions count.
func Newer(t store.Tracked, revision int, seen string) bool {
	if seen == "" {
		later := func(image order.EditedImage) bool { return image.Revision > revision }
		return t.Order.Rev() != revision || slices.ContainsFunc(t.Order.EditedImages, later)
	}
	return t.Order.Rev() != revision || Pictures(t) != seen
}
