package cards

import (
	"strconv"

	"darkroom/cards/kit"
	"darkroom/store"
)

// People count rounds from 1, the service counts revisions from 0.

// Round is what people call a revision: "round 2" is revision 1.
func Round(revision int) string { return "round " + strconv.Itoa(revision+1) }

// OfRound goes on behind an order's name, from the second round on: the first goes without saying.
func OfRound(t store.Tracked) string {
	return kit.Prefixed(", ", laterRound(t.Order.Rev()))
}

// laterRound is "" for the first.
func laterRound(revision int) string { return kit.OnlyIf(revision > 0, Round(revision)) }
