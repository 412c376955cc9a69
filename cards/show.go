package cards

import (
	"strings"
	"time"

	"darkroom/store"

	"github.com/shopspring/decimal"
	"github.com/slack-go/slack"
)

// Limits of the private answers.
const (
	maxHistory = 20 // the newest events that show
	maxPicker  = 20 // orders a picker offers
)

// Show is the whole order for one person: where it stands, its edited images,
// and what happened, newest last.
func Show(t store.Tracked, events []store.Event, can Verbs, now time.Time) Message {
	p := &page{}
	p.say("*" + project(t) + "*")
	p.facts(state(t)...)
	if t.Gone {
		p.say(gone)
	}
	p.history(events)
	if latest := Latest(t.Order.EditedImages); len(latest) > 0 {
		p.say("*Edited images*")
		p.gallery(latest, true, "The order's thread has them, revision by revision.")
	}
	p.note(footer(t))
	p.buttons(possible(t, can, now)...)
	return p.message()
}

// history adds one line an event; the oldest give way when there are many.
func (p *page) history(events []store.Event) {
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

func historyRow(e store.Event) string {
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
func eventName(kind store.EventKind) string {
	names := map[store.EventKind]string{
		store.Placed:     "Placed",
		store.Ready:      "Ready for review",
		store.Changes:    "Changes requested",
		store.Approved:   "Approved",
		store.Canceled:   "Canceled",
		store.Paused:     "Paused",
		store.Message:    "Message sent",
		store.Editor:     "Editor wrote",
		store.References: "References added",
		store.Moved:      "Moved",
		store.TrackedNow: "Tracked",
		store.Untracked:  "Untracked",
		store.Gone:       "Gone at the service",
	}
	if name, known := names[kind]; known {
		return name
	}
	return inline(string(kind), 80)
}

// Balance is what the account has left.
func Balance(left decimal.Decimal) Message {
	p := &page{}
	p.say("Credits left: *" + amount(left) + "*")
	return p.message()
}

// Orders is the picker for when more than one order fits: each with the
// button of the verb that was asked for.
func Orders(verb string, orders []store.Tracked, total int, can Verbs) Message {
	p := &page{}
	if len(orders) == 0 {
		p.say("There is no such order in this channel. Place one: `/order new`")
		return p.message()
	}
	named := "`/order " + code(verb) + " ID`"
	if can.Has(verb) {
		p.say("Which order? Press its button, or name it: " + named)
	} else {
		p.say("Which order? Name it: " + named)
	}
	shown := 0
	for _, t := range orders[:min(maxPicker, len(orders))] {
		if p.choice(verb, t, can) {
			shown++
		}
	}
	if more := max(total, len(orders)) - shown; more > 0 {
		p.note(count(more, "more order is", "more orders are") + " not listed here. Each card in the channel shows its ID.")
	}
	return p.message()
}

// choice is one order of a picker.
func (p *page) choice(verb string, t store.Tracked, can Verbs) bool {
	row := "*" + project(t) + "*\n" + StatusWords(t.Order.Status) + " · ID " + inline(t.ID, 100)
	if !can.Has(verb) {
		return p.say(row)
	}
	return p.section(row, slack.NewAccessory(verbButton(verb, Value(t.ID, t.Order.Rev()))))
}
