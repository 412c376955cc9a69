package cards

import (
	"strconv"

	"darkroom/cards/kit"
	"darkroom/store"
)

// Round returns a revision's name: people count rounds from 1, the service counts revisions from 0.
func Round(revision int) string { return "round " + strconv.Itoa(revision+1) }

// OfRound follows an order's name from the second round on.
func OfRound(t store.Tracked) string {
	return kit.Prefixed(", ", laterRound(t.Order.Rev()))
}

// laterRound is [Round], or "" for the first round.
func laterRound(revision int) string { return kit.OnlyIf(revision > 0, Round(revision)) }
