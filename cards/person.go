package cards

import (
	"darkroom/cards/kit"
	"darkroom/store"
)

// by names an actor, as the order's message names people: see [store.Tracked].
func by(t store.Tracked, actor string) string { return kit.Names(t.Names).By(actor) }

// requester names the requester.
func requester(t store.Tracked) string { return kit.Names(t.Names).Person(t.Owner.Requester) }
