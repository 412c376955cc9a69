package commands

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

const relayJob = "relay"

// relaying is the body of the job that sends a message in Slack to an order's editor.
type relaying struct {
	asker
	Order   string      `json:"order,omitempty"` // "": the app was mentioned in no order's thread
	TS      string      `json:"ts"`
	Author  string      `json:"author"` // whose message it is
	Raw     string      `json:"raw"`    // in Slack's markup
	Files   []slackFile `json:"files,omitempty"`
	Private bool        `json:"private,omitempty"` // it begins with //
	Asked   bool        `json:"asked,omitempty"`   // by the shortcut, so an answer is expected
}

// How a relay can end besides the ends of every errand.
const (
	endWordless end = "wordless"
	endHad      end = "had"     // it was sent before
	endPrivate  end = "private" // it begins with // behind the app's name
)

// The marks on a message: whether it reached the editor.
const (
	markDelivered = "white_check_mark"
	markFailed    = "warning"
)

// relay does the job.
func (c *Commands) relay(ctx context.Context, d *queue.Delivery) error {
	var body relaying
	if err := json.Unmarshal(d.Body, &body); err != nil {
		return queue.Dead(fmt.Errorf("job %s: %w", d.ID, err))
	}
	switch {
	case body.Order == "":
		return c.whisper(ctx, body.asker, cards.RelayHint())
	case body.Private:
		return c.whisper(ctx, body.asker, cards.RelayPrivate())
	}
	return c.run(ctx, &errand{d: d, asker: body.asker, cargo: parcel{c, body}}, body.Order)
}

// parcel is a message in Slack on its way to an editor. Its answer is a mark on it; only
// what its writer must know is said, to them alone.
type parcel struct {
	c    *Commands
	body relaying
}

func (p parcel) note() string { return relayNote(p.body.Team, p.body.Channel, p.body.TS) }

func (p parcel) ready(ctx context.Context, e *errand) (end, string, error) {
	was, err := p.c.relayedAs(ctx, p.note())
	if err != nil {
		return endNone, "", err
	}
	if was.Delivered && !p.body.Asked {
		return endHad, "", nil
	}
	text, ours, err := p.c.wordsOf(ctx, p.body)
	switch {
	case err != nil:
		return endNone, "", err
	case was.Delivered && text == was.Text: // what was edited since may be asked for again
		return endHad, "", nil
	case ours:
		return endNothing, "", nil
	case private(text) && !p.body.Asked:
		return endPrivate, "", nil
	case text == "":
		return endWordless, "", nil
	}
	e.state.Text = text
	if err := p.remember(ctx, e, false); err != nil {
		return endNone, "", err
	}
	if utf8.RuneCountInString(text) > order.MaxMessage {
		return endNone, cards.TooLong(text), nil
	}
	return endNone, "", nil
}

// wordsOf are the plain words of a message without the leading mention of the app. What
// the app itself wrote never goes to an editor.
func (c *Commands) wordsOf(ctx context.Context, body relaying) (text string, ours bool, err error) {
	who, err := c.slack.Identity(ctx)
	if err != nil {
		return "", false, err
	}
	if body.Author == who.BotUser {
		return "", true, nil
	}
	text, err = bot.Plain(ctx, c.slack, withoutMention(body.Raw, who.BotUser))
	return strings.TrimSpace(text), false, err
}

// withoutMention takes the app's name from the beginning of a message.
func withoutMention(raw, app string) string {
	leading := regexp.MustCompile(`^\s*<@` + regexp.QuoteMeta(app) + `(\|[^<>]*)?>[\s,:]*`)
	return leading.ReplaceAllString(raw, "")
}

func (p parcel) remember(ctx context.Context, e *errand, delivered bool) error {
	return p.c.store.Note(ctx, p.note(), relayed{
		Order: p.body.Order, Author: p.body.Author, Raw: p.body.Raw, Text: e.state.Text, Delivered: delivered,
	}, relayLife)
}

func (p parcel) intent(e *errand) order.Intent {
	return order.Intent{Verb: order.VerbMessage, Words: strings.Split(e.state.Text, "\n")}
}

func (p parcel) bring(ctx context.Context, e *errand) (order.Order, error) {
	return p.c.service.Message(ctx, e.order.ID, e.state.Text)
}

func (p parcel) later(ctx context.Context, e *errand) error {
	return p.c.whisper(ctx, p.body.asker, cards.Told(cards.MessageLater(e.order, e.state.Text, "")))
}

func (p parcel) told(ctx context.Context, e *errand) error {
	switch e.state.End {
	case endDelivered:
		return p.arrived(ctx, e)
	case endKept:
		if err := p.mark(ctx, markFailed); err != nil {
			return err
		}
		kept, err := p.c.keptMessage(ctx, e, e.state.Text)
		if err != nil {
			return err
		}
		return p.c.whisper(ctx, p.body.asker, kept)
	case endGuest:
		return p.c.whisper(ctx, p.body.asker, cards.RelayGuest(e.order, e.state.Why))
	case endHidden: // as in a thread of no order
		return p.c.whisper(ctx, p.body.asker, cards.RelayHint())
	case endPrivate:
		return p.c.whisper(ctx, p.body.asker, cards.RelayPrivate())
	case endHad:
		if p.body.Asked {
			return p.c.whisper(ctx, p.body.asker, cards.RelayHad(e.order))
		}
	case endWordless:
		if len(p.body.Files) > 0 {
			return p.offer(ctx, e, true)
		}
		return p.c.whisper(ctx, p.body.asker, cards.RelayWordless(e.order))
	}
	return nil
}

// arrived marks the message. What is attached to it stays behind, and is offered.
func (p parcel) arrived(ctx context.Context, e *errand) error {
	if err := p.remember(ctx, e, true); err != nil {
		return err
	}
	if err := p.mark(ctx, markDelivered); err != nil {
		return err
	}
	return p.offer(ctx, e, false)
}

func (p parcel) mark(ctx context.Context, emoji string) error {
	return p.c.store.Mark(ctx, store.Mark{Team: p.body.Team, Channel: p.body.Channel, TS: p.body.TS, Emoji: emoji})
}

// offer keeps the message's pictures and offers them as reference images.
func (p parcel) offer(ctx context.Context, e *errand, wordless bool) error {
	pictures := 0
	album := album{Order: p.body.Order, User: p.body.User, Photos: p.c.photosOf(p.c.lookAt(ctx, p.body.Files, cards.UnreadFile))}
	for _, photo := range album.Photos {
		if photo.Picture {
			pictures++
		}
	}
	if pictures == 0 {
		if wordless {
			return p.c.whisper(ctx, p.body.asker, cards.RelayWordless(e.order))
		}
		return nil
	}
	note, err := p.c.keepAlbum(ctx, e.d.ID, album)
	if err != nil {
		return err
	}
	return p.c.whisper(ctx, p.body.asker, cards.RelayOffer(e.order, pictures, wordless, note))
}

// relayDied marks a message whose job can be done no more; its writer is to be told.
func (c *Commands) relayDied(ctx context.Context, l queue.DeadLetter) bool {
	var body relaying
	err := json.Unmarshal(l.Body, &body)
	if err == nil && body.Order != "" {
		err = parcel{c, body}.mark(ctx, markFailed)
	}
	if err != nil {
		c.log.ErrorContext(ctx, "message of a dead job not marked", "job", l.ID, "err", err)
	}
	return false
}
