package cards

import (
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// offer lets the person go on with an order that they left unfinished.
func (p *builder) offer(d *store.Draft) {
	if d == nil {
		return
	}
	p.say("You have an unfinished order, last changed " + when(d.UpdatedAt) + ": " + summary(*d))
	p.buttons(
		press(button{label: "Continue", action: ActionOpen, style: slack.StylePrimary}, d.ID),
		press(button{label: "Discard", action: ActionDiscard}, d.ID))
}

// summary is enough to recognise a draft by.
func summary(d store.Draft) string {
	images := "no images yet"
	if n := len(d.Files) + len(d.URLs); n > 0 {
		images = count(n, "image", "images")
	}
	words := d.ProjectName
	for _, line := range d.Instructions {
		words = orElse(words, line)
	}
	if words == "" {
		return images + "."
	}
	return images + ", “" + inline(words, 100) + "”."
}

// GuestOrder says to somebody who may only look why they cannot order; urls are those of
// their line.
func GuestOrder(channel string, why order.Denial, urls string) Message {
	return says(onlySees(why)+"place them. Nothing was sent: ask "+fullMember(channel)+" to order for you.").
		kept("Your image URLs:", urls).message()
}

// Reopen is told when a form could not be opened: what it would have held is kept.
func Reopen(d store.Draft, sentence string) Message {
	return says(cut(sentence, maxSection)).say("Kept for you: " + summary(d)).
		buttons(press(button{label: "Open the form", action: ActionOpen, style: slack.StylePrimary}, d.ID)).message()
}
