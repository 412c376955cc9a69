package cards

import (
	"strconv"
	"strings"
	"time"

	"darkroom/order"
	"darkroom/store"
)

// The service takes messages of 5,000 characters; escaped they may be longer.
const maxQuote = 8000

// Reply is one event in the order's thread. It begins with the event's name.
// Buttons show while it is live; an image whose preview is not shown is a link.
func Reply(t store.Tracked, e order.Event, can Verbs, live bool, thumbs Thumbs) Message {
	p := &builder{}
	write, known := replies()[e.Kind]
	if !known {
		write = unnamed
	}
	write(p, t, e, options{can, thumbs})
	if live && e.Kind == order.EventReady {
		p.buttons(possible(reviewed(t, e), can.without("cancel"), time.Time{})...)
	}
	return p.post(t, e.ID)
}

// options are what a reply may offer.
type options struct {
	can    Verbs
	thumbs Thumbs
}

// replies is the table of what each event says.
func replies() map[order.EventKind]func(*builder, store.Tracked, order.Event, options) {
	return map[order.EventKind]func(*builder, store.Tracked, order.Event, options){
		order.EventPlaced:     placedReply,
		order.EventReady:      readyReply,
		order.EventChanges:    changesReply,
		order.EventApproved:   approvedReply,
		order.EventCanceled:   canceledReply,
		order.EventPaused:     pausedReply,
		order.EventMessage:    messageReply,
		order.EventEditor:     editorReply,
		order.EventReferences: referencesReply,
		order.EventMoved:      movedReply,
		order.EventTracked:    trackedReply,
		order.EventUntracked:  untrackedReply,
		order.EventGone:       goneReply,
		order.EventBack:       backReply,
	}
}

func placedReply(p *builder, t store.Tracked, e order.Event, _ options) {
	p.say("Placed " + by(orElse(e.Actor, t.Owner.Requester)) + ": " + project(t))
	var parts []string
	if s := price(e.Order); s != "" {
		parts = append(parts, "Price: "+s+".")
	}
	if e.Credits.Valid && t.Owner.Generation <= 1 { // of another channel nobody asked who reads it
		parts = append(parts, credits(e.Credits.Decimal)+" left.")
	}
	if s := estimate(e.Order); s != "" {
		parts = append(parts, "Estimated delivery: "+s+".")
	}
	p.say(strings.Join(parts, " "))
}

func readyReply(p *builder, t store.Tracked, e order.Event, o options) {
	seen := reviewed(t, e)
	latest := Latest(seen.Order.EditedImages)
	head := "Ready for review: " + project(t)
	if r := seen.Order.Rev(); r > 0 {
		head += ", revision " + strconv.Itoa(r)
	}
	p.say(head)
	p.say(strings.TrimSpace(mention(t.Owner.Requester) + " " + please(len(latest))))
	p.previews(latest, o.thumbs, seeAll(t))
}

func please(images int) string {
	if images == 0 {
		return "the edited images are ready."
	}
	return "please look at " + count(images, "edited image", "edited images") + "."
}

func seeAll(t store.Tracked) string {
	return "See all of them with `/order show " + handle(t) + "`."
}

// reviewed is the order as it was at the event: what a person sees in this reply.
func reviewed(t store.Tracked, e order.Event) store.Tracked {
	if e.Order.Status == "" {
		return t
	}
	known := t.Order
	t.Order = e.Order
	if t.Order.EditedImages == nil && t.Order.Rev() == known.Rev() {
		t.Order.EditedImages = known.EditedImages
	}
	return t
}

func changesReply(p *builder, t store.Tracked, e order.Event, _ options) {
	p.say("Changes requested " + by(e.Actor) + ": " + project(t))
	latest := Latest(either(e.Order.EditedImages, t.Order.EditedImages))
	for i, image := range latest {
		if words := e.PerImage[image.ID]; len(words) > 0 {
			p.say(strconv.Itoa(i+1) + " · " + inline(imageName(image), 200))
			p.quote(strings.Join(words, "\n"), maxQuote)
		}
	}
	for _, id := range strangers(e.PerImage, latest) {
		p.say(inline(id, 200))
		p.quote(strings.Join(e.PerImage[id], "\n"), maxQuote)
	}
	if len(e.Words) > 0 {
		p.say(allOthers)
		p.quote(strings.Join(e.Words, "\n"), maxQuote)
	}
	if s := estimate(e.Order); s != "" {
		p.say("Estimated delivery: " + s + ".")
	}
}

func either(a, b []order.EditedImage) []order.EditedImage {
	if len(a) > 0 {
		return a
	}
	return b
}

func approvedReply(p *builder, t store.Tracked, e order.Event, _ options) {
	p.said("Approved", t, e)
}

func canceledReply(p *builder, t store.Tracked, e order.Event, _ options) {
	p.said("Canceled", t, e)
}

func messageReply(p *builder, t store.Tracked, e order.Event, _ options) {
	p.said("Message sent", t, e)
}

func referencesReply(p *builder, t store.Tracked, e order.Event, _ options) {
	p.said("References added", t, e)
}

// said is "Approved by @maria: project", and her words.
func (p *builder) said(name string, t store.Tracked, e order.Event) {
	p.say(name + " " + by(e.Actor) + ": " + project(t))
	p.quote(strings.Join(e.Words, "\n"), maxQuote)
}

func editorReply(p *builder, t store.Tracked, e order.Event, _ options) {
	p.say("Editor wrote about " + project(t))
	p.quote(strings.Join(e.Words, "\n"), maxQuote)
}
