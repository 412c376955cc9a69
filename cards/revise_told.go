package cards

import (
	"unicode/utf8"

	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// Revised is the good end.
func Revised(t store.Tracked, externalID string) slack.ModalViewRequest {
	next := "Everybody in {channel} can see what you asked for. You are told there when it is ready for review."
	return windowOn(TitleRevise, "", ":white_check_mark: Changes requested: {order}", joined(" ", next, expected(t.Order)))(t, externalID)
}

// ReviseDenied says in a sentence of ours, safe as it is, why nothing was sent; all that
// was typed is shown, and can go to the editor as a message from the note.
func ReviseDenied(t store.Tracked, c Changes, sentence, note, externalID string) slack.ModalViewRequest {
	return alerting(sentence).typedChanges(t, c, note).modal(TitleRevise, externalID, metaOf(t))
}

// ReviseRival says that somebody else has requested changes first: who, and what.
func ReviseRival(t store.Tracked, first order.Event, c Changes, note, externalID string) slack.ModalViewRequest {
	who := "Somebody has already requested changes to *" + project(t) + "* elsewhere"
	if first.Actor != "" {
		who = mention(first.Actor) + " has already requested changes to *" + project(t) + "*"
	}
	p := alerting(who + ". Yours were not sent: an order takes one request at a time.")
	if theirs := asked(first); !theirs.Empty() {
		p.say("What was asked for:").labelled(theirs.labelled(t), maxRival)
	}
	return p.typedChanges(t, c, note).modal(TitleRevise, externalID, metaOf(t))
}

// maxRival bounds what is shown of somebody else's words, in bytes; the order's thread
// has them all.
const maxRival = 8000

// ReviseUnsettled says that nobody knows whether the changes arrived.
func ReviseUnsettled(t store.Tracked, c Changes, externalID string) slack.ModalViewRequest {
	return window("I cannot tell yet whether your changes to *"+project(t)+"* were requested: the service did not answer clearly.").
		say("Its card shows the truth as soon as the service tells it. If it still says _Ready for review_ in a few minutes, request them again: that is safe.").
		shown(t, c).modal(TitleRevise, externalID, metaOf(t))
}

// ReviseKept is the form for somebody who has closed it: why it came back, all that was
// typed, and a button that opens it again with the words of the note.
func ReviseKept(t store.Tracked, seen int, c Changes, note string) []Message {
	p := &builder{wide: true}
	if len(c.Problems) == 0 {
		p.alert(newer(t, seen)).say(lookAgain)
	} else {
		p.problems("No changes were requested for *"+project(t)+"*:", c.Problems, "Your words are kept.")
	}
	p.shown(t, c).put(slack.NewActionBlock(clip(ReviseBlock+note, maxID), pressOf(t, "Request changes", "Request changes to", ActionRevise, SeenValue(t)).WithStyle(slack.StylePrimary)))
	return AsMessages(p.modal(TitleRevise, "", Meta{}))
}

// typedChanges shows what was typed, and offers it to the editor while the order is open
// and the words fit into one message.
func (p *builder) typedChanges(t store.Tracked, c Changes, note string) *builder {
	p.shown(t, c)
	if c.Empty() || note == "" || !t.Offers(order.VerbMessage, t.Order.OrderedAt) {
		return p
	}
	if n := utf8.RuneCountInString(c.Text(t)); n > order.MaxMessage {
		return p.note("These are " + count(n, "character", "characters") + ", and a message to the editor holds " + thousands(order.MaxMessage) + ". Copy what matters most and send it with `/order message " + handle(t) + " …`")
	}
	return p.say("You can send them to the editor as a message instead.").messageButton(t, note)
}

// shown adds all that was typed.
func (p *builder) shown(t store.Tracked, c Changes) *builder {
	if !c.Empty() {
		p.say("Your words:").labelled(c.labelled(t), -1)
	}
	if aside := (Changes{Each: c.Aside}).labelled(t); len(aside) > 0 {
		p.say("Your words for images that you did not choose:").labelled(aside, -1)
	}
	return p
}

// labelled adds words under their names, at most so many bytes in all (no bound when
// negative); what has no room is said.
func (p *builder) labelled(all []labelled, limit int) {
	var lines []string
	size := 0
	for _, l := range all {
		lines = append(lines, "*"+escape(l.label, 300)+"*")
		for _, line := range quotation(l.words, -1) {
			if size += len(line); limit >= 0 && size > limit {
				p.rows(lines...)
				p.note("The rest is in the order's thread.")
				return
			}
			lines = append(lines, line)
		}
	}
	if !p.rows(lines...) {
		p.note(tooLong)
	}
}
