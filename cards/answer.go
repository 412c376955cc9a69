package cards

import (
	"slices"
	"strings"
	"time"

	"darkroom/order"
	"darkroom/store"
)

// The service tells what an editor wrote only in its answer to a message that is posted: what is
// said here of answers is no more than that.

// heardWhenSent says how an answer comes.
const heardWhenSent = "I see the editor's answer only when I send the editor another message."

// messageReply tells of a message. One that somebody wrote in this very thread stands there
// already.
func messageReply(p *builder, t store.Tracked, e order.Event, _ Thumbs) {
	head := "Message sent " + by(e.Actor) + ": " + project(t) + ofAnother(e)
	if s := e.Said; s != nil && s.Channel == t.Owner.Channel && s.Thread == t.CardTS {
		p.say(head).note("It stands above in this thread, marked :white_check_mark:")
		return
	}
	p.said(head, e.Words)
}

// editorReply tells what the editor wrote, to whom it is for.
func editorReply(p *builder, t store.Tracked, e order.Event, _ Thumbs) {
	if t.Owner.Departed != "" && e.For == "" {
		p.said("Editor wrote about "+project(t)+ofAnother(e)+"\n"+isGoneFromHere(t), e.Words).buttons(takeOverButton(t))
		return
	}
	p.said("Editor wrote about "+project(t)+ofAnother(e)+led(", for ", called(orElse(e.For, t.Owner.Requester))), e.Words)
}

// ofAnother goes on behind an order's name where a line belongs to another round than the order had reached: it comes late,
// and what it says of the photos is of those.
func ofAnother(e order.Event) string {
	if e.Revision == nil || *e.Revision == e.Order.Rev() {
		return ""
	}
	return ", " + Round(*e.Revision)
}

// labelAsk is what asking for an answer is called.
const labelAsk = "Ask for an answer"

// AskValue is what *Ask for an answer* carries: the order, and the message that is unanswered.
func AskValue(t store.Tracked, e order.Event) string { return t.ID + " " + e.ID }

// ParseAsk reads it back; false when it is not ours.
func ParseAsk(value string) (id, event string, ok bool) {
	id, event, ok = strings.Cut(value, " ")
	return id, event, ok && id != "" && event != ""
}

// AskText is the line that goes to the editor: another for each person and second, as the service
// takes no message twice.
func AskText(name string, now time.Time) string {
	return "Is there news on this? (" + oneLine(name) + ", " + now.UTC().Format("2 Jan 15:04:05") + " UTC)"
}

// Asked tells what came of asking.
func Asked(t store.Tracked, wrote bool) Message {
	if wrote {
		return Say(expand("The editor of {order} has written: you can read it in the order's thread.", t))
	}
	return says(expand("I asked the editor of {order}. The editor has not written yet.", t)).note(heardWhenSent + " Ask again later, or write more.").message()
}

// AskUnsent tells why the editor was not asked.
func AskUnsent(t store.Tracked, u Unsent) Message {
	return new(builder).unsent(u, expand("Your question to the editor of {order} was", t)).message()
}

// WhyNotAsk says in a sentence that nobody need ask about a message any more, "" when it is
// unanswered still: what happened after it tells.
func WhyNotAsk(t store.Tracked, event string, events []order.Event) string {
	at := slices.IndexFunc(events, func(e order.Event) bool { return e.ID == event })
	if at < 0 {
		return ""
	}
	for _, later := range events[at+1:] {
		switch later.Kind {
		case order.EventEditor:
			return expand("The editor of {order} has written since: you can read it in the order's thread. Nothing was sent.", t)
		case order.EventMessage:
			return expand(strings.TrimSpace(begun(later.Actor)+" has written to the editor of {order} since, and the answer did not bring a word of the editor. Nothing was sent: ask again below the newest message."), t)
		}
	}
	return ""
}

// WroteAfter tells whether the editor wrote something that came after that event.
func WroteAfter(event string, events []order.Event) bool {
	at := slices.IndexFunc(events, func(e order.Event) bool { return e.ID == event })
	return slices.ContainsFunc(events[at+1:], func(e order.Event) bool { return e.Kind == order.EventEditor })
}

// unheard says that the last word of a conversation is ours, "" when it is not.
func unheard(o order.Order) string {
	if len(o.Conversation) == 0 || !o.Conversation[len(o.Conversation)-1].FromClient() {
		return ""
	}
	last := o.Conversation[len(o.Conversation)-1]
	return ":speech_balloon: The last message to the editor" + led(", ", whenKnown(last.CreatedAt)) + ", has no answer that I know of. " +
		heardWhenSent + " To ask before you approve, press *" + labelAsk + "* below that message in the order's thread."
}
