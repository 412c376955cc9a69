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

// TitleShow is the title of an order's details.
const TitleShow = "Order details"

// Bytes of the history and the brief in an order's details. Images get the rest.
const (
	historyRoom      = 3500
	briefRoom        = 2000
	historyRoomModal = 40_000
	briefRoomModal   = 30_000
)

// Show returns the whole order for one person: instructions, status, images and history, newest last. acts
// adds the order's buttons.
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

// addWhole adds everything about an order. Images get the room that the rest leaves.
func addWhole(p *kit.Page, t store.Tracked, thumbs Thumbs, briefRoom int, past *kit.Page) *kit.Page {
	p.Say("*" + Project(t) + "*")
	if b := t.Brief; b != nil {
		addAsked(p.Say("*Asked for*"+kit.Prefixed(" by ", kit.Mention(b.By))+kit.Prefixed(" · ", ServiceName(b.Service))).Say(allowed(*b)), *b, briefRoom)
	} else {
		p.Note("I have no record of this order's instructions.")
	}
	p.Facts(State(t)...).Say(kit.OnlyIf(t.Gone, goneText))
	p.Reserve(past)
	if latest := order.Latest(t.Order.EditedImages); len(latest) > 0 {
		AddGallery(p.Say("*Edited photos*"), Album{Images: latest}, thumbs, "The order's thread has them, round by round.")
		p.Buttons(thumbs.download(t)...)
	} else if t.Shrunk {
		p.Say("I cannot get this order's edited photos from the photo service just now. Try again later.")
	}
	return p.Release().Note(footer(t))
}

// addActions adds the buttons looks, which anybody may press. acts adds the order's buttons before them.
func addActions(p *kit.Page, t store.Tracked, acts bool, now time.Time, looks ...slack.BlockElement) *kit.Page {
	if acts {
		looks = slices.Concat(PossibleButtons(t, now), SaveAsPreset(t), looks)
	}
	return p.Buttons(looks...)
}

// BalanceDenied says that this person may not read the account's credits.
func BalanceDenied(channel string, why order.Denial) kit.Message {
	return kit.Say(OnlySees(why) + "read the account's credits. Ask " + FullMember(channel) + ".")
}

// Balance shows the account's credits.
func Balance(left decimal.Decimal) kit.Message {
	return kit.NewPage("Credits left: *" + kit.Amount(left) + "*").Message()
}
