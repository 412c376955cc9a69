package cards

import (
	"slices"
	"time"

	"darkroom/order"
	"darkroom/store"

	"github.com/shopspring/decimal"
	"github.com/slack-go/slack"
)

// How many bytes of what shows an order its history and its brief take at most: the images have the
// rest.
const (
	historyRoom      = 3500
	briefRoom        = 2000
	historyRoomModal = 40_000
	briefRoomModal   = 30_000
)

// Show is the whole order for one person: what was asked for, where it stands, its edited images,
// and what happened, newest last; with buttons when the person may act on it.
func Show(t store.Tracked, events []order.Event, acts bool, thumbs Thumbs, now time.Time) Message {
	p := &builder{}
	return p.whole(t, thumbs, briefRoom, (&builder{}).history(t, events, historyRoom)).actions(t, acts, now, wholeHistory(t, events, historyRoom)...).message()
}

// Showing is [Show] as a modal.
func Showing(t store.Tracked, events []order.Event, acts bool, thumbs Thumbs, now time.Time, externalID string) slack.ModalViewRequest {
	p := &builder{wide: true}
	past := (&builder{wide: true}).history(t, events, historyRoomModal)
	return p.whole(t, thumbs, briefRoomModal, past).actions(t, acts, now, wholeHistory(t, events, historyRoomModal)...).modal(TitleShow, externalID, metaOf(t))
}

// whole adds all of an order; the images take the room that the rest leaves.
func (p *builder) whole(t store.Tracked, thumbs Thumbs, briefRoom int, past *builder) *builder {
	p.say("*" + project(t) + "*")
	if b := t.Brief; b != nil {
		p.say("*Asked for*"+led(" by ", mention(b.By))+led(" · ", serviceName(b.Service))).say(allowed(*b)).asked(*b, briefRoom)
	} else {
		p.note("I have no record of what was asked for.")
	}
	p.facts(state(t)...).say(onlyIf(t.Gone, gone))
	p.hold(past)
	if latest := Latest(t.Order.EditedImages); len(latest) > 0 {
		p.say("*Edited images*").gallery(album{images: latest}, thumbs, "The order's thread has them, round by round.")
		p.buttons(thumbs.download(t)...)
	} else if t.Shrunk {
		p.say("The photo service keeps this order's edited images, and cannot be asked for them just now. Please try again later.")
	}
	return p.release().note(footer(t))
}

// actions adds the order's buttons for somebody who may act on it, and looks that are anybody's.
func (p *builder) actions(t store.Tracked, acts bool, now time.Time, looks ...slack.BlockElement) *builder {
	if acts {
		looks = slices.Concat(possible(t, now), savePreset(t), looks)
	}
	return p.buttons(looks...)
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
