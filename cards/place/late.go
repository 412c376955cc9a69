package place

import (
	"time"

	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/store"
)

// PlacedAfterAll tells the requester that an order appeared that was reported as not found.
func Late(t store.Tracked, now time.Time) kit.Message {
	return cards.AddBrief(kit.NewPage(":warning: *"+cards.Project(t)+"* was placed after all: the service took longer than I waited."), t).Facts(cards.State(t)...).
		Say("If you tried again meanwhile, there are two now. Keep the one you want and cancel the other soon: the service promises ten minutes from when it was placed.").
		Note(cards.Said(t)).Buttons(cards.Possible(t, now)...).Message()
}
