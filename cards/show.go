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
// and what happened, newest last; with buttons when the person may act on it. Without thumbs the
// images are only named.
func Show(t store.Tracked, events []order.Event, acts, thumbs bool, now time.Time) Message {
	return whole(t, events, acts, thumbs, now).message()
}

// Showing is [Show] as a modal.
func Showing(t store.Tracked, events []order.Event, acts, thumbs bool, now time.Time, externalID string) slack.ModalViewRequest {
	return whole(t, events, acts, thumbs, now).modal(TitleShow, externalID, metaOf(t))
}

func whole(t store.Tracked, events []order.Event, acts, thumbs bool, now time.Time) *builder {
	p := standing(t)
	p.history(events)
	if latest := Latest(t.Order.EditedImages); len(latest) > 0 {
		p.say("*Edited images*").gallery(latest, Thumbs{Show: thumbs}, "The order's thread has them, round by round.")
	} else if t.Shrunk {
		p.say("The photo service keeps this order's edited images, and cannot be asked for them just now. Please try again later.")
	}
	p.note(footer(t))
	if acts {
		p.buttons(possible(t, now)...)
	}
	return p
}

// history adds one line an event; the oldest give way when there are many.
func (p *builder) history(events []order.Event) {
	headline := "*History*"
	if more := len(events) - maxHistory; more > 0 {
		headline += "\n" + count(more, "earlier event is", "earlier events are") + " in the order's thread."
		events = events[more:]
	}
	p.bullets(headline, each(events, func(_ int, e order.Event) string {
		name := orElse(eventReplies()[e.Kind].name, inline(string(e.Kind), 80))
		return dots(whenKnown(e.At), name+led(" by ", mention(e.Actor))+led(": ", inline(strings.Join(e.Words, " "), 80)))
	}))
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
