package cards

import (
	"time"

	"darkroom/cards/kit"
	"darkroom/order"
)

// First says who acted first when two people act on an order at once. The sentence ends with a space; it is ""
// if nobody did. me reads it and may have acted first.
func First(e *order.Event, me string, now time.Time) string {
	if e == nil {
		return ""
	}
	active, passive := firstDid(e.Kind)
	if active == "" {
		return ""
	}
	at := kit.Either(now.Sub(e.At) > aMoment, kit.When(e.At), "a moment ago")
	switch e.Actor {
	case "":
		return passive + " elsewhere " + at + ". "
	case me:
		return "You " + active + " " + at + ". "
	}
	return kit.Subject(e.Actor) + " " + active + " " + at + ". "
}

// justNow is how long an event counts as "a moment ago".
const aMoment = 2 * time.Minute

func firstDid(kind order.EventKind) (active, passive string) {
	switch kind {
	case order.EventApproved:
		return "approved it", "It was approved"
	case order.EventCanceled:
		return "canceled it", "It was canceled"
	case order.EventChanges:
		return "requested changes to it", "Changes to it were requested"
	}
	return "", ""
}
