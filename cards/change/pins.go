package change

import (
	"slices"
	"strconv"

	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// Pins point at places of the photos. People set them on a page outside Slack; the form shows them and sends them with the
// text of its boxes.

// ActionMark is the action id of the link button that opens the page for pins.
const ActionMark = "revise:mark"

// Drafter is the person whose pins a form shows, and the number of their draft. The zero value has no pins.
type Drafter struct {
	User   string `json:"user,omitempty"`
	Number int    `json:"number,omitempty"`
}

// WithPins returns the changes with a person's pins.
func (c Changes) WithPins(user string, d store.PinDraft) Changes {
	c.Pins, c.Drafter = d.Pins, Drafter{user, d.Number}
	return c
}

// withLostPins adds the words of pins on replaced photos to the boxes of the photos that replace them. What a box cannot hold
// becomes text of a photo that is no longer there.
func (c Changes) withLostPins(latest []order.EditedImage) Changes {
	lost := slices.DeleteFunc(slices.Clone(c.Pins), func(pin order.Pin) bool {
		return slices.ContainsFunc(latest, func(image order.EditedImage) bool { return image.Edit() == pin.Edit })
	})
	for len(lost) > 0 {
		first := lost[0]
		on := slices.DeleteFunc(slices.Clone(lost), func(pin order.Pin) bool { return pin.Edit != first.Edit })
		lost = slices.DeleteFunc(lost, func(pin order.Pin) bool { return pin.Edit == first.Edit })
		to := ImageText{ID: first.Image, Name: first.Name}
		if at := successor(latest, to); at >= 0 {
			to.ID, to.Name = latest[at].ID, latest[at].Name
		}
		had := c.wordsFor(to.ID)
		missing := slices.DeleteFunc(on.Lines(), func(line string) bool { return slices.Contains(order.Lines(had), line) })
		for part, words := range kit.Packed(append([]string{had}, missing...), kit.MaxInput) {
			id := kit.Either(part == 0, to.ID, first.Edit+":"+strconv.Itoa(part))
			c = c.withPage([]ImageText{{ID: id, Name: to.Name, Words: words}})
		}
	}
	return c
}

// successor returns the index of the photo with the ID of a lost one, or with its name, or -1.
func successor(latest []order.EditedImage, lost ImageText) int {
	at := slices.IndexFunc(latest, func(image order.EditedImage) bool { return image.ID != "" && image.ID == lost.ID })
	if at < 0 && lost.Name != "" {
		at = slices.IndexFunc(latest, func(image order.EditedImage) bool { return image.ID != "" && image.Name == lost.Name })
	}
	return at
}

// own returns all that is asked for one image: the text of its box, and a line for each pin.
func (c Changes) own(image order.EditedImage) string {
	return kit.Join("\n", c.wordsFor(image.ID), c.pinned(image))
}

// pinned returns a line for each pin on an image.
func (c Changes) pinned(image order.EditedImage) string {
	if image.ID == "" {
		return ""
	}
	return kit.Join("\n", c.Pins.On(image).Lines()...)
}

// mark adds the link to the page for pins.
func (f reviseForm) mark(p *kit.Page, window string) {
	if f.marks == nil || f.typed.Drafter.User == "" {
		return
	}
	address := f.marks(store.Marking{
		Order: f.t.ID, Round: f.t.Order.Rev(), Generation: f.t.Owner.Generation, User: f.typed.Drafter.User, Number: f.typed.Drafter.Number,
		Window: window, Pictures: cards.MetaOf(f.t).Pictures, Page: f.from / rowsAtOnce,
	})
	if !order.WebAddress(address) || kit.Units(address) > kit.MaxURL {
		return
	}
	button := kit.Button("Mark on the Pictures", ActionMark, "mark").WithURL(address)
	button.AccessibilityLabel = "Mark on the Pictures: opens a page outside Slack, for you alone"
	p.Put(slack.NewActionBlock("", button))
}
