package cards

import (
	"strings"
	"time"

	"darkroom/order"
	"darkroom/store"

	"github.com/shopspring/decimal"
	"github.com/slack-go/slack"
)

const maxHistory = 20 // the newest events that show

// Show is the whole order for one person: where it stands, its edited images,
// and what happened, newest last. Without thumbs the images are only named.
func Show(t store.Tracked, events []order.Event, can Verbs, thumbs bool, now time.Time) Message {
	p := &builder{}
	p.whole(t, events, can, thumbs, now)
	return p.message()
}

// Showing is [Show] as a modal.
func Showing(t store.Tracked, events []order.Event, can Verbs, thumbs bool, now time.Time, externalID string) slack.ModalViewRequest {
	p := &builder{}
	p.whole(t, events, can, thumbs, now)
	return p.modal(TitleShow, externalID, metaOf(t))
}

func (p *builder) whole(t store.Tracked, events []order.Event, can Verbs, thumbs bool, now time.Time) {
	p.say("*" + project(t) + "*")
	p.facts(state(t)...)
	if t.Gone {
		p.say(gone)
	}
	p.history(events)
	if latest := Latest(t.Order.EditedImages); len(latest) > 0 {
		p.say("*Edited images*")
		p.gallery(latest, thumbs, "The order's thread has them, revision by revision.")
	} else if t.Shrunk {
		p.say("The photo service keeps this order's edited images, and cannot be asked for them just now. Please try again later.")
	}
	p.note(footer(t))
	p.buttons(possible(t, can, now)...)
}

// history adds one line an event; the oldest give way when there are many.
func (p *builder) history(events []order.Event) {
	if len(events) == 0 {
		return
	}
	rows := []string{"*History*"}
	if more := len(events) - maxHistory; more > 0 {
		rows = append(rows, count(more, "earlier event is", "earlier events are")+" in the order's thread.")
		events = events[more:]
	}
	for _, e := range events {
		rows = append(rows, historyRow(e))
	}
	p.say(cut(strings.Join(rows, "\n"), maxSection))
}

func historyRow(e order.Event) string {
	row := eventName(e.Kind)
	if e.Actor != "" {
		row += " by " + mention(e.Actor)
	}
	if len(e.Words) > 0 {
		row += ": " + inline(strings.Join(e.Words, " "), 80)
	}
	if e.At.IsZero() {
		return "• " + row
	}
	return "• " + when(e.At) + " · " + row
}

// eventName is the name with which the event's reply begins.
func eventName(kind order.EventKind) string {
	names := map[order.EventKind]string{
		order.EventPlaced:     "Placed",
		order.EventReady:      "Ready for review",
		order.EventChanges:    "Changes requested",
		order.EventApproved:   "Approved",
		order.EventCanceled:   "Canceled",
		order.EventPaused:     "Paused",
		order.EventMessage:    "Message sent",
		order.EventEditor:     "Editor wrote",
		order.EventReferences: "References added",
		order.EventMoved:      "Moved",
		order.EventTracked:    "Tracked",
		order.EventUntracked:  "Untracked",
		order.EventGone:       "Gone at the service",
		order.EventBack:       "Back at the service",
	}
	if name, known := names[kind]; known {
		return name
	}
	return inline(string(kind), 80)
}

// BalanceDenied says to somebody who is none of us that the account's credits are not
// theirs to read.
func BalanceDenied(channel string, why order.Denial) Message {
	return Say(onlySees(why) + "read the account's credits: ask " + fullMember(channel) + ".")
}

// Balance is what the account has left.
func Balance(left decimal.Decimal) Message {
	return says("Credits left: *" + amount(left) + "*").message()
}
