package cards

import (
	"strconv"

	"darkroom/cards/kit"
	"darkroom/store"
)

// GoodOf says how many of an order's images are good, "" while none is.
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

// Undecided says that some images of an order are good and others are not.
func Undecided(t store.Tracked) bool {
	good, all := t.Good()
	return good > 0 && good < all
}

// GoodNote is the line about them on a review and an approval.
func GoodNote(t store.Tracked) string {
	return kit.FullStop(kit.Prefixed(":white_check_mark: ", GoodOf(t)))
}
