package cards

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"
)

// Value is a button's value: the order and the revision that it was shown for.
func Value(order string, revision int) string {
	return order + ":r" + strconv.Itoa(revision)
}

// SeenValue is [Value] with the fingerprint of the photos beside the button.
func SeenValue(t store.Tracked) string { return Value(t.ID, t.Order.Rev()) + "." + Pictures(t) }

// ParseValue reads a [Value] or a [SeenValue]. It returns false for other values.
func ParseValue(s string) (order string, revision int, ok bool) {
	i := strings.LastIndex(s, ":r")
	if i < 1 {
		return "", 0, false
	}
	digits, _, _ := strings.Cut(s[i+2:], ".")
	revision, err := strconv.Atoi(digits)
	if err != nil || revision < 0 {
		return "", 0, false
	}
	return s[:i], revision, true
}

// PicturesIn returns the fingerprint in a [SeenValue], or "".
func PicturesIn(s string) string {
	_, print, _ := strings.Cut(s[strings.LastIndex(s, ":r")+1:], ".")
	return print
}

// SavedKey names a form's saved text: view and order. An approval's text also belongs to one round, because
// feedback is about its images.
func SavedKey(view string, m kit.Meta) string {
	if view == kit.CallbackApprove {
		return view + " " + Value(m.Order, m.Revision)
	}
	return view + " " + m.Order
}

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
