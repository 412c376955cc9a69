package jobs

import (
	"darkroom/cards"
)

// Verbs lists what exists, for the cards: only verbs that exist get buttons.
func Verbs() cards.Verbs {
	return cards.Verbs{
		"new", "list", "show", "approve", "revise", "cancel", "message", "reference",
		"track", "untrack", "move", "balance", "settings", "help", "reopen",
	}
}
