package cards

import (
	"time"

	"darkroom/cards/kit"
	"darkroom/order"
)

// First says who was first when two people act on an order at once, and ends with a space; "" when
// nobody was. It is for one of them, who may have forgotten what they did themselves.
func First(e *order.Event, me string, now time.Time) string {
	if e == nil {
		return ""
	}
	active, passive := firstDid(e.Kind)
	if active == "" {
		return ""
	}
	at := "a moment ago"
	if now.Sub(e.At) > aMoment {
		at = kit.When(e.At)
	}
	switch e.Actor {
	case "":
		return passive + " elsewhere " + at + ". "
	case me:
		return "You " + active + " " + at + ". "
	}
	return kit.Subject(e.Actor) + " " + active + " " + at + ". "
}

// aMoment is how long what happened counts as having just happened.
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
