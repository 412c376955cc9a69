package cards

import (
	"strconv"
	"strings"

	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"
)

// Value is what a button carries: the order and the revision it was shown for.
func Value(order string, revision int) string {
	return order + ":r" + strconv.Itoa(revision)
}

// SeenValue is [Value] of a button beside pictures: it says which, too.
func SeenValue(t store.Tracked) string {
	return Value(t.ID, t.Order.Rev()) + kit.Prefixed(".", order.Fingerprint(t.Order.EditedImages))
}

// ParseValue reads a button's value back. It is false for a value that is not ours.
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

// PicturesIn are the pictures beside which a button stood, as [SeenValue] wrote them; "" =
// it does not say.
func PicturesIn(s string) string {
	_, print, _ := strings.Cut(s[strings.LastIndex(s, ":r")+1:], ".")
	return print
}

// SavedKey is what the words of a form are kept under: the order, and for an approval the round, because
// feedback on another is about other pictures.
func SavedKey(view string, m kit.Meta) string {
	if view == kit.CallbackApprove {
		return view + " " + Value(m.Order, m.Revision)
	}
	return view + " " + m.Order
}
