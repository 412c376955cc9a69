package announce

import (
	"context"
	"errors"
	"log/slog"

	"github.com/slack-go/slack"

	"darkroom/bot/client"
	"darkroom/cards"
	"darkroom/cards/kit"
	"darkroom/order"
	"darkroom/store"
)

// bareText is how many characters remain of a message that Slack accepts in no other form.
const bareText = 300

// form draws a message in a shape that Slack accepts. newer means that it may have blocks which Slack does
// not know yet.
type form struct {
	draw  func(s client.Shape) kit.Message
	newer bool
}

// formsOf returns the forms in which a message is offered to Slack, best first. A payload that Slack
// rejects must not block later events.
func formsOf(message kit.Message) []form { return withPlain(message, fixed(message)) }

func fixed(m kit.Message) form { return form{draw: func(client.Shape) kit.Message { return m }} }

// withPlain appends the forms of a message without blocks.
func withPlain(message kit.Message, forms ...form) []form {
	plain := kit.TextOnly(message)
	bare := kit.Message{Text: cut(plain.Text, bareText), Metadata: plain.Metadata}
	return append(forms, fixed(plain), fixed(bare), fixed(kit.Message{Text: bare.Text}))
}

func cut(text string, runes int) string {
	if r := []rune(text); len(r) > runes {
		return string(r[:runes-1]) + "…"
	}
	return text
}

// triesPerForm is how often a form is tried that Slack neither accepts nor refuses. Slack may take too long to
// fetch its pictures.
const triesPerForm = 2

// plainer skips forms that were tried often enough. The last form has no metadata to search for. So it is
// used only after a refusal.
func plainer(forms []form, tries int) []form {
	return forms[min(tries/triesPerForm, len(forms)-2):]
}

// offer sends the first form that Slack accepts, in the best accepted shape: see [client.Offer].
func offer(ctx context.Context, log *slog.Logger, a *announcement, p client.Post, forms []form, send func(client.Post) error) error {
	p.Channel = a.tracked.Owner.Channel
	var err error
	for _, f := range forms {
		first := client.Shape{Older: !f.newer, Missing: a.state.Missing}
		var last client.Shape
		last, err = client.Offer(first, func(s client.Shape) ([]slack.Block, error) {
			m := f.draw(s)
			p.Text, p.Blocks, p.Metadata = m.Text, m.Blocks, m.Metadata
			return p.Blocks, noteRefusal(ctx, log, a, send(p))
		})
		a.leaveOut(last.Missing)
		if !errors.Is(err, client.ErrPayload) {
			return err
		}
	}
	return err
}

// noteRefusal logs and returns a refusal by Slack.
func noteRefusal(ctx context.Context, log *slog.Logger, a *announcement, err error) error {
	if errors.Is(err, client.ErrPayload) {
		log.WarnContext(ctx, "payload refused", "order", a.id, "err", err)
		a.imageless = a.imageless || errors.Is(err, client.ErrImage)
	}
	return err
}

// replyForms draws an event's message.
type replyForms struct {
	people       *people
	zip, compare cards.RoundURL
}

// of draws a reply. A review has forms with and without pictures. p names the copies of previews that
// Slack could not fetch, and the contact sheets that replace all previews. events are those of
// [record.around].
func (rf *replyForms) of(ctx context.Context, a *announcement, e order.Event, events []order.Event, live bool, p store.Posted) []form {
	t := rf.people.named(ctx, rf.owned(ctx, a, p), namedIn(a.tracked, e, events)...)
	switch e.Kind {
	case order.EventReady:
	case order.EventPaused:
		return formsOf(cards.Pause(t, e, events, live))
	case order.EventReminder:
		return formsOf(cards.Reminder(t, e, events, live, cards.Thumbs{Asks: p.Asks}))
	default:
		return formsOf(cards.Reply(t, e, live, cards.Thumbs{ZIP: rf.zip}))
	}
	c := cards.RoundHistoryOf(t, events, e)
	thumbs := cards.Thumbs{ZIP: rf.zip, Compare: rf.compare, Asks: p.Asks, Found: p.Inspection}
	links := cards.Review(t, e, c, live, thumbs)
	if !live { // an ended review has no pictures
		return formsOf(links)
	}
	pictured := form{newer: true, draw: func(s client.Shape) kit.Message {
		shown := thumbs
		shown.Show, shown.Plain, shown.Copies, shown.Missing = true, s.Older, p.Copies, s.Missing
		return cards.Review(t, e, c, live, shown)
	}}
	if len(p.Sheets) > 0 {
		sheets := thumbs
		sheets.Sheets = p.Sheets
		return withPlain(links, fixed(cards.Review(t, e, c, live, sheets)), pictured, fixed(links))
	}
	return withPlain(links, pictured, fixed(links))
}

// owned returns the order for a reply, with the name of a deactivated requester if p says so.
func (rf *replyForms) owned(ctx context.Context, a *announcement, p store.Posted) store.Tracked {
	t := a.tracked
	t.Owner.Direct = p.Direct
	if p.Ownerless {
		t.Owner.Deactivated = rf.people.deactivated(ctx, t.Owner.Requester)
	}
	return t
}

// linksTo makes links to the workspace's messages, or none while its URL is unknown.
func linksTo(ctx context.Context, slack identifier, log *slog.Logger) cards.Links {
	me, err := slack.Identity(ctx)
	if err != nil {
		log.DebugContext(ctx, "no links to messages", "err", err)
	}
	return cards.Links(me.URL)
}
