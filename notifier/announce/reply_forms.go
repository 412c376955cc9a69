package announce

import (
	"context"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/order"
	"darkroom/store"
)

// replyForms draws an event's message.
type replyForms struct {
	people *people
	zip    cards.ZIPs
}

// replyForms offers a review with its pictures, and with links alone. Previews that Slack could
// not fetch are shown from their copies in Slack, and contact sheets stand for all of them: p tells of both. events are those that [record.around] finds.
func (rf *replyForms) of(ctx context.Context, a *announcement, e order.Event, events []order.Event, live bool, p store.Posted) []form {
	t := rf.owned(ctx, a, p)
	switch e.Kind {
	case order.EventReady:
	case order.EventPaused:
		return formsOf(cards.Pause(t, e, events, live))
	case order.EventReminder:
		return formsOf(cards.Reminder(t, e, events, live, cards.Thumbs{Asks: p.Asks}))
	default:
		return formsOf(cards.Reply(t, e, live, cards.Thumbs{ZIP: rf.zip}))
	}
	c := cards.CourseOf(t, events, e)
	links := cards.Review(t, e, c, live, cards.Thumbs{ZIP: rf.zip, Asks: p.Asks})
	if !live { // it has no pictures
		return formsOf(links)
	}
	best := form{newer: true, draw: func(s bot.Shape) cards.Message {
		return cards.Review(t, e, c, live, cards.Thumbs{Show: true, Plain: s.Older, Copies: p.Copies, Missing: s.Missing, ZIP: rf.zip, Asks: p.Asks})
	}}
	if len(p.Sheets) > 0 {
		return withPlain(links, fixed(cards.Review(t, e, c, live, cards.Thumbs{Sheets: p.Sheets, ZIP: rf.zip, Asks: p.Asks})), best, fixed(links))
	}
	return withPlain(links, best, fixed(links))
}

// owned is the order as a reply shows it: one that says that the requester is gone says it by their name.
func (rf *replyForms) owned(ctx context.Context, a *announcement, p store.Posted) store.Tracked {
	t := a.tracked
	if p.Ownerless {
		t.Owner.Departed = rf.people.deactivated(ctx, t.Owner.Requester)
	}
	return t
}
