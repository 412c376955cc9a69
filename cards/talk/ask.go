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

// AskText is the line that goes to the editor: another for each person and second, as the service
// takes no message twice.
func AskText(name string, now time.Time) string {
	return "Is there news on this? (" + kit.OneLine(name) + ", " + now.UTC().Format("2 Jan 15:04:05") + " UTC)"
}

// Asked tells what came of asking.
func Asked(t store.Tracked, wrote bool) kit.Message {
	if wrote {
		return kit.Say(cards.Expand("The editor of {order} has written: you can read it in the order's thread.", t))
	}
	return kit.NewPage(cards.Expand("I asked the editor of {order}. The editor has not written yet.", t)).Note(cards.HeardWhenSent + " Ask again later, or write more.").Message()
}

// AskUnsent tells why the editor was not asked.
func AskUnsent(t store.Tracked, u Unsent) kit.Message {
	return addUnsent(new(kit.Page), u, cards.Expand("Your question to the editor of {order} was", t)).Message()
}

// WhyNotAsk says in a sentence that nobody need ask about a message any more, "" when it is
// unanswered still: what happened after it tells.
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

// WroteAfter tells whether the editor wrote something that came after that event.
func WroteAfter(event string, events []order.Event) bool {
	at := slices.IndexFunc(events, func(e order.Event) bool { return e.ID == event })
	return slices.ContainsFunc(events[at+1:], func(e order.Event) bool { return e.Kind == order.EventEditor })
}
