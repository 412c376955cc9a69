package cards

import (
	"slices"
	"time"

	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"

	"github.com/shopspring/decimal"
	"github.com/slack-go/slack"
)

// Ids and titles as Slack has them.
const (
	TitleShow = "Photo order"
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
func Show(t store.Tracked, events []order.Event, acts bool, thumbs Thumbs, now time.Time) kit.Message {
	p := &kit.Page{}
	return addActions(addWhole(p, t, thumbs, briefRoom, addHistory(&kit.Page{}, t, events, historyRoom)), t, acts, now, wholeHistory(t, events, historyRoom)...).Message()
}

// Showing is [Show] as a modal.
func Showing(t store.Tracked, events []order.Event, acts bool, thumbs Thumbs, now time.Time, externalID string) slack.ModalViewRequest {
	p := &kit.Page{Wide: true}
	past := addHistory(&kit.Page{Wide: true}, t, events, historyRoomModal)
	return addActions(addWhole(p, t, thumbs, briefRoomModal, past), t, acts, now, wholeHistory(t, events, historyRoomModal)...).Modal(TitleShow, externalID, MetaOf(t))
}

// addWhole adds all of an order; the images take the room that the rest leaves.
func addWhole(p *kit.Page, t store.Tracked, thumbs Thumbs, briefRoom int, past *kit.Page) *kit.Page {
	p.Say("*" + Project(t) + "*")
	if b := t.Brief; b != nil {
		addAsked(p.Say("*Asked for*"+kit.Prefixed(" by ", kit.Mention(b.By))+kit.Prefixed(" · ", ServiceName(b.Service))).Say(allowed(*b)), *b, briefRoom)
	} else {
		p.Note("I have no record of what was asked for.")
	}
	p.Facts(State(t)...).Say(kit.OnlyIf(t.Gone, gone))
	p.Hold(past)
	if latest := order.Latest(t.Order.EditedImages); len(latest) > 0 {
		AddGallery(p.Say("*Edited images*"), Album{Images: latest}, thumbs, "The order's thread has them, round by round.")
		p.Buttons(thumbs.download(t)...)
	} else if t.Shrunk {
		p.Say("The photo service keeps this order's edited images, and cannot be asked for them just now. Please try again later.")
	}
	return p.Release().Note(footer(t))
}

// addActions adds the order's buttons for somebody who may act on it, and looks that are anybody's.
func addActions(p *kit.Page, t store.Tracked, acts bool, now time.Time, looks ...slack.BlockElement) *kit.Page {
	if acts {
		looks = slices.Concat(Possible(t, now), SaveAsPreset(t), looks)
	}
	return p.Buttons(looks...)
}

// BalanceDenied says to somebody who is none of us that the account's credits are not
// theirs to read.
func BalanceDenied(channel string, why order.Denial) kit.Message {
	return kit.Say(OnlySees(why) + "read the account's credits: ask " + FullMember(channel) + ".")
}

// Balance is what the account has left.
func Balance(left decimal.Decimal) kit.Message {
	return kit.NewPage("Credits left: *" + kit.Amount(left) + "*").Message()
}
