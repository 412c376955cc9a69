package cards

import (
	"strconv"

	"darkroom/cards/kit"
	"darkroom/store"
)

// GoodOf says how many of an order's images are good, or returns "" if none is.
func GoodOf(t store.Tracked) string {
	switch good, all := t.Good(); {
	case good == 0:
		return ""
	case good < all:
		return strconv.Itoa(good) + " of " + strconv.Itoa(all) + " good"
	case all == 1:
		return "The image is good"
	default:
		return "All " + strconv.Itoa(all) + " are good"
	}
}

// Undecided reports whether only some of an order's images are good.
func Undecided(t store.Tracked) bool {
	good, all := t.Good()
	return good > 0 && good < all
}

// GoodNote says on a review and an approval how many images are good.
func GoodNote(t store.Tracked) string {
	return kit.FullStop(kit.Prefixed(":white_check_mark: ", GoodOf(t)))
}
