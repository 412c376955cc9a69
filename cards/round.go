package cards

import (
	"strconv"

	"darkroom/store"
)

// People count rounds from 1, the service counts revisions from 0.

// Round is what people call a revision: "round 2" is revision 1.
func Round(revision int) string { return "round " + strconv.Itoa(revision+1) }

// ofRound goes on behind an order's name, from the second round on: the first goes without saying.
func ofRound(t store.Tracked) string {
	return led(", ", laterRound(t.Order.Rev()))
}

// laterRound is "" for the first.
func laterRound(revision int) string { return onlyIf(revision > 0, Round(revision)) }
