package cards

import (
	"cmp"
	"strings"

	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"
)

// The service returns editors' messages only in its response to a message we post. These texts promise no
// more.

// AnswerTiming says when an editor's answer becomes visible.
const AnswerTiming = "I see the editor's answer only when I send the editor another message."

// messageReply reports a message to the editor. A message written in this thread is not repeated.
func messageReply(p *kit.Page, t store.Tracked, e order.Event, _ Thumbs) {
	head := "Message sent " + by(t, e.Actor) + ": " + Project(t) + otherRound(e)
	if s := e.Message; s != nil && s.Channel == t.Owner.Channel && s.Thread == t.ThreadTS() {
		p.Say(head).Note("The message is in this thread, marked :white_check_mark:")
		return
	}
	addSaid(p, head, e.Words)
}

// relayed says on a card that its channel sends every reply to the editor. Of a thread with several orders it sends none.
func relayed(t store.Tracked) string {
	return kit.OnlyIf(t.Relayed && t.Root == "" && NoMessage(t) == "", "Every reply in this thread goes to the editor. To keep one in Slack, start it with `//`.")
}

// editorReply shows what the editor wrote, and mentions the addressee, unless they were called just before.
func editorReply(p *kit.Page, t store.Tracked, e order.Event, _ Thumbs) {
	if t.Owner.Deactivated != "" && e.For == "" {
		addSaid(p, "Editor wrote about "+Project(t)+otherRound(e)+"\n"+requesterLeft(t), e.Words).Buttons(takeOverButton(t))
		return
	}
	whom := cmp.Or(e.For, t.Owner.Requester)
	calls := !e.Called && (!t.Owner.Direct || whom != t.Owner.Requester)
	addSaid(p, "Editor wrote about "+Project(t)+otherRound(e)+kit.Prefixed(", for ", kit.Either(calls, kit.Notify(whom), kit.OnlyIf(t.Names != nil, kit.Names(t.Names).Person(whom)))), e.Words)
}

// otherRound names an event's round if it is not the current one. Such events arrive late and are about older
// images.
func otherRound(e order.Event) string {
	if e.Revision == nil || *e.Revision == e.Order.Rev() {
		return ""
	}
	return ", " + Round(*e.Revision)
}

// LabelAsk labels the button that asks the editor for an answer.
const LabelAsk = "Ask for an Answer"

// AskValue returns the value of *Ask for an Answer*: the order and the unanswered message.
func AskValue(t store.Tracked, e order.Event) string { return t.ID + " " + e.ID }

// ActionAskPause opens the message window with a question about a pause. It carries a [Value].
const ActionAskPause = "order:askpause"

// ParseAsk reads an [AskValue]. It returns false for any other value.
func ParseAsk(value string) (id, event string, ok bool) {
	id, event, ok = strings.Cut(value, " ")
	return id, event, ok && id != "" && event != ""
}
