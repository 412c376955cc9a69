package talk

import (
	"slices"
	"strings"
	"time"

	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"
)

// AskText is the message to the editor. It differs by person and second, because the service takes no message
// twice.
func AskText(name string, now time.Time) string {
	return "Is there news on this? (" + kit.OneLine(name) + ", " + now.UTC().Format("2 Jan 15:04:05") + " UTC)"
}

// Asked reports whether the editor has written.
func Asked(t store.Tracked, wrote bool) kit.Message {
	if wrote {
		return kit.Say(cards.Expand("The editor of {order} has written: you can read it in the order's thread.", t))
	}
	return kit.NewPage(cards.Expand("I asked the editor of {order}. The editor has not written yet.", t)).Note(cards.HeardWhenSent + " Ask again later, or write more.").Message()
}

// AskUnsent says why the editor was not asked.
func AskUnsent(t store.Tracked, u Unsent) kit.Message {
	return addUnsent(new(kit.Page), u, cards.Expand("Your question to the editor of {order} was", t)).Message()
}

// WhyNotAsk says why a message needs no follow-up question, or returns "". Later events decide.
func WhyNotAsk(t store.Tracked, event string, events []order.Event) string {
	at := slices.IndexFunc(events, func(e order.Event) bool { return e.ID == event })
	if at < 0 {
		return ""
	}
	for _, later := range events[at+1:] {
		switch later.Kind {
		case order.EventEditor:
			return cards.Expand("The editor of {order} has written since: you can read it in the order's thread. Nothing was sent.", t)
		case order.EventMessage:
			return cards.Expand(strings.TrimSpace(kit.Subject(later.Actor)+" has written to the editor of {order} since, and the answer did not bring a word of the editor. Nothing was sent: ask again below the newest message."), t)
		}
	}
	return ""
}

// WroteAfter reports whether the editor wrote after that event.
func WroteAfter(event string, events []order.Event) bool {
	at := slices.IndexFunc(events, func(e order.Event) bool { return e.ID == event })
	return slices.ContainsFunc(events[at+1:], func(e order.Event) bool { return e.Kind == order.EventEditor })
}
