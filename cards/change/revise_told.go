package change

import (
	"unicode/utf8"

	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"

	"github.com/slack-go/slack"
)

// Revised confirms the request.
func Revised(t store.Tracked, externalID string) slack.ModalViewRequest {
	next := "Everybody in {channel} can see your request. It is in the order's thread, and I tell you there when the photos are ready for review."
	return cards.WindowOn(TitleRevise, "", ":white_check_mark: Changes requested: {order}", kit.Join(" ", next, cards.Expected(t.Order)))(t, externalID)
}

// ReviseDenied says in a safe sentence why nothing was sent. It shows everything typed, and offers to send it
// to the editor from note.
func ReviseDenied(t store.Tracked, c Changes, sentence, note, externalID string) slack.ModalViewRequest {
	return addTypedChanges(kit.NewAlert(sentence), t, c, note).Modal(TitleRevise, externalID, cards.MetaOf(t))
}

// ReviseConcurrent says that somebody else requested changes first: who, and what.
func ReviseConcurrent(t store.Tracked, first order.Event, c Changes, note, externalID string) slack.ModalViewRequest {
	who := "Somebody has already requested changes to *" + cards.Project(t) + "* elsewhere"
	if first.Actor != "" {
		who = kit.Mention(first.Actor) + " has already requested changes to *" + cards.Project(t) + "*"
	}
	p := kit.NewAlert(who + ". Yours were not sent. An order takes one request at a time.")
	if theirs := asked(first); !theirs.Empty() {
		addLabelled(p.Say("What was asked for:"), theirs.labelled(t), maxConcurrent)
	}
	return addTypedChanges(p, t, c, note).Modal(TitleRevise, externalID, cards.MetaOf(t))
}

// maxConcurrent bounds the other person's text, in bytes. The order's thread has all of it.
const maxConcurrent = 8000

// ReviseUnsettled says that the request's outcome is unknown.
func ReviseUnsettled(t store.Tracked, c Changes, externalID string) slack.ModalViewRequest {
	return addTyped(kit.NewWindow("I do not know yet if your changes to *"+cards.Project(t)+"* were requested. The photo service did not answer clearly.").
		Say("The order's card shows it when the photo service answers. If it still says _Ready for review_ in a few minutes, request them again. That is safe."), t, c).Modal(TitleRevise, externalID, cards.MetaOf(t))
}

// ReviseKept returns messages for somebody who closed the form: the problem, everything typed, and a button
// that opens the form with the text in note.
func ReviseKept(t store.Tracked, seen int, c Changes, note string) []kit.Message {
	p := &kit.Page{Wide: true}
	if len(c.Problems) == 0 {
		p.Alert(newer(t, seen)).Say(lookAgain)
	} else {
		p.Problems("No changes were requested for *"+cards.Project(t)+"*:", c.Problems, "Your text is saved.")
	}
	addTyped(p, t, c).Put(slack.NewActionBlock(kit.Clip(ReviseBlock+note, kit.MaxID), cards.OrderButton(t, "Request Changes", "Request Changes to", cards.ActionRevise, cards.SeenValue(t)).WithStyle(slack.StylePrimary)))
	return kit.AsMessages(p.Modal(TitleRevise, "", kit.Meta{}))
}

// addTypedChanges shows everything typed. It offers to send it to the editor if the order is open and one
// message holds it.
func addTypedChanges(p *kit.Page, t store.Tracked, c Changes, note string) *kit.Page {
	addTyped(p, t, c)
	if c.Empty() || note == "" || !t.Offers(order.VerbMessage, t.Order.OrderedAt) {
		return p
	}
	if n := utf8.RuneCountInString(c.Text(t)); n > order.MaxMessage {
		return p.Note("Your text has " + kit.Count(n, "character", "characters") + ". A message to the editor holds " + kit.Thousands(order.MaxMessage) + ". Copy what matters most and send it with `/order message " + cards.Handle(t) + " …`")
	}
	return cards.AddMessageButton(p.Say("You can send your text to the editor as a message instead."), t, note)
}

// addTyped shows everything typed.
func addTyped(p *kit.Page, t store.Tracked, c Changes) *kit.Page {
	if !c.Empty() {
		addLabelled(p.Say("Your text:"), c.labelled(t), -1)
	}
	return p
}

// addLabelled adds text below its labels, at most limit bytes. A negative limit is no limit. It says if text
// was left out.
func addLabelled(p *kit.Page, all []labelledText, limit int) {
	var lines []string
	size := 0
	for _, l := range all {
		lines = append(lines, "*"+kit.EscapeTo(l.label, 300)+"*")
		for _, line := range kit.Quotation(l.words, -1) {
			if size += len(line); limit >= 0 && size > limit {
				p.Rows(lines...)
				p.Note("The rest is in the order's thread.")
				return
			}
			lines = append(lines, line)
		}
	}
	if !p.Rows(lines...) {
		p.Note(kit.RestTooLong)
	}
}
