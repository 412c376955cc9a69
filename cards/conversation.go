package cards

import (
	"cmp"
	"strings"

	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"
)

// The service tells what an editor wrote only in its answer to a message that is posted: what is
// said here of answers is no more than that.

// HeardWhenSent says how an answer comes.
const HeardWhenSent = "I see the editor's answer only when I send the editor another message."

// messageReply tells of a message. One that somebody wrote in this very thread stands there
// already.
func messageReply(p *kit.Page, t store.Tracked, e order.Event, _ Thumbs) {
	head := "Message sent " + kit.By(e.Actor) + ": " + Project(t) + ofAnother(e)
	if s := e.Said; s != nil && s.Channel == t.Owner.Channel && s.Thread == t.CardTS {
		p.Say(head).Note("It stands above in this thread, marked :white_check_mark:")
		return
	}
	addSaid(p, head, e.Words)
}

// editorReply tells what the editor wrote, to whom it is for.
func editorReply(p *kit.Page, t store.Tracked, e order.Event, _ Thumbs) {
	if t.Owner.Departed != "" && e.For == "" {
		addSaid(p, "Editor wrote about "+Project(t)+ofAnother(e)+"\n"+isGoneFromHere(t), e.Words).Buttons(takeOverButton(t))
		return
	}
	addSaid(p, "Editor wrote about "+Project(t)+ofAnother(e)+kit.Prefixed(", for ", kit.Notify(cmp.Or(e.For, t.Owner.Requester))), e.Words)
}

// ofAnother goes on behind an order's name where a line belongs to another round than the order had reached: it comes late,
// and what it says of the photos is of those.
func ofAnother(e order.Event) string {
	if e.Revision == nil || *e.Revision == e.Order.Rev() {
		return ""
	}
	return ", " + Round(*e.Revision)
}

// LabelAsk is what asking for an answer is called.
const LabelAsk = "Ask for an answer"

// AskValue is what *Ask for an answer* carries: the order, and the message that is unanswered.
func AskValue(t store.Tracked, e order.Event) string { return t.ID + " " + e.ID }

// ParseAsk reads it back; false when it is not ours.
func ParseAsk(value string) (id, event string, ok bool) {
	id, event, ok = strings.Cut(value, " ")
	return id, event, ok && id != "" && event != ""
}
