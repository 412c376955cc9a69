package place

import (
	"strings"

	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"
)

// Refused tells the requester, whose form is closed, why the order was refused. It shows everything typed.
func Refused(d store.Draft, problems kit.Problems) kit.Message {
	p := &kit.Page{}
	addUnpostable(p, d)
	p.Problems("Your order was not placed, and nothing was charged:", Named(d, problems),
		"Everything you typed is kept. Open the form, change what is needed, and place it again:")
	return addDraftButtons(addDraft(p, d), "Open the form", d).Message()
}

// GuestOrder tells a read-only person why they cannot order. urls are those of their command.
func GuestOrder(channel string, why order.Denial, urls string) kit.Message {
	return kit.NewPage(CannotOrder(channel, why)).Typed("Your image URLs:", urls).Message()
}

// CannotOrder is the sentence of [GuestOrder].
func CannotOrder(channel string, why order.Denial) string {
	return cards.OnlySees(why) + "place them. Nothing was sent: ask " + cards.FullMember(channel) + " to order for you."
}

// Reopen offers a draft whose form could not be opened.
func Reopen(d store.Draft, sentence string) kit.Message {
	return kit.NewPage(kit.Cut(sentence, kit.MaxSection)).Say("Kept for you: " + summary(d)).
		Buttons(kit.PrimaryButton("Open the form", ActionOpen, d.ID)).Message()
}

// addDraft shows everything typed into the order form.
func addDraft(p *kit.Page, d store.Draft) *kit.Page {
	return p.Say("Post to: "+kit.ChannelLink(d.Channel)).
		Typed("Photos:", strings.Join(photoNames(d), "\n")).
		Typed("Image URLs:", strings.Join(d.URLs, "\n")).
		Say("Service type: "+kit.EscapeTo(ServiceWords(d.Service), kit.MaxField)).
		Typed("Instructions:", strings.Join(d.Instructions, "\n")).
		Typed("Project name:", d.ProjectName).
		Typed("Customer ID:", d.CustomerID)
}
