package cards

import (
	"maps"
	"slices"
	"strings"

	"darkroom/order"
	"darkroom/store"
)

// Replies about where an order stands and which channel has it.

func pausedReply(p *builder, t store.Tracked, e order.Event, o options) {
	p.say("Paused by the service: " + project(t))
	p.quote(strings.Join(e.Words, "\n"), maxQuote)
	ask := "To learn why, ask the service's support about order " + inline(t.ID, 100) + "."
	if o.can.Has("message") {
		ask = "To learn why, ask the editor: `/order message " + handle(t) + " …`"
	}
	p.say(ask + " Nothing is lost; you read it here when work goes on.")
}

func movedReply(p *builder, t store.Tracked, e order.Event, _ options) {
	p.say("Moved " + by(e.Actor) + ": " + project(t))
	p.quote(strings.Join(e.Words, "\n"), maxQuote)
	p.say("This channel has the order now: its news comes here, and only here.")
}

func trackedReply(p *builder, t store.Tracked, e order.Event, _ options) {
	p.say("Tracked " + by(e.Actor) + ": " + project(t))
	p.say("This channel has the order now: its news comes here.")
}

func untrackedReply(p *builder, t store.Tracked, e order.Event, _ options) {
	p.say("Untracked " + by(e.Actor) + ": " + project(t))
	p.say("This channel hears no more of it. The order itself goes on at the service.")
}

func goneReply(p *builder, t store.Tracked, e order.Event, _ options) {
	p.say("Gone at the service: " + project(t))
	p.say(gone + " If that surprises you, ask the service's support about order " + inline(t.ID, 100) + ".")
	p.quote(strings.Join(e.Words, "\n"), maxQuote)
}

func backReply(p *builder, t store.Tracked, _ order.Event, _ options) {
	p.say("Back at the service: " + project(t))
	p.say("The service knows this order again, and it goes on. What happened meanwhile is told below.")
}

// unnamed is an event that a newer release recorded.
func unnamed(p *builder, t store.Tracked, e order.Event, _ options) {
	p.say("News of " + project(t) + ": " + inline(string(e.Kind), 80) + " " + by(e.Actor))
	p.quote(strings.Join(e.Words, "\n"), maxQuote)
}

// strangers are instructions whose image is not in the gallery, in a fixed order.
func strangers(perImage map[string][]string, gallery []order.EditedImage) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(perImage)), func(id string) bool {
		return slices.ContainsFunc(gallery, func(image order.EditedImage) bool { return image.ID == id })
	})
}
