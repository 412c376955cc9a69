package announce

import (
	"context"
	"errors"
	"slices"

	"github.com/slack-go/slack"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// cardMark stands for the card where events have their number.
const cardMark int64 = 0

// bareText is how much of a message survives when Slack takes nothing else of it.
const bareText = 300

// form draws a message in the shape that Slack takes; newer says that it has blocks which Slack may not know yet.
type form struct {
	draw  func(s bot.Shape) cards.Message
	newer bool
}

// formsOf are the shapes a message is offered to Slack in, best first: a
// payload that Slack rejects must not block the events behind it.
func formsOf(message cards.Message) []form { return withPlain(message, fixed(message)) }

func fixed(m cards.Message) form { return form{draw: func(bot.Shape) cards.Message { return m }} }

// withPlain adds to the forms of a message those without blocks.
func withPlain(message cards.Message, forms ...form) []form {
	plain := cards.Plain(message)
	bare := cards.Message{Text: cut(plain.Text, bareText), Metadata: plain.Metadata}
	return append(forms, fixed(plain), fixed(bare), fixed(cards.Message{Text: bare.Text}))
}

// replyForms offers a review with its pictures, and with links alone. Previews that Slack could
// not fetch are shown from their copies in Slack, and contact sheets stand for all of them: p tells of both. events are those that [announceRun.course] finds.
func (v *announceRun) replyForms(ctx context.Context, e order.Event, events []order.Event, live bool, p store.Posted) []form {
	t := v.owned(ctx, p)
	switch e.Kind {
	case order.EventReady:
	case order.EventPaused:
		return formsOf(cards.Pause(t, e, events, live))
	case order.EventReminder:
		return formsOf(cards.Reminder(t, e, events, live, cards.Thumbs{Asks: p.Asks}))
	default:
		return formsOf(cards.Reply(t, e, live, cards.Thumbs{ZIP: v.ZIP}))
	}
	c := cards.CourseOf(t, events, e)
	links := cards.Review(t, e, c, live, cards.Thumbs{ZIP: v.ZIP, Asks: p.Asks})
	if !live { // it has no pictures
		return formsOf(links)
	}
	best := form{newer: true, draw: func(s bot.Shape) cards.Message {
		return cards.Review(t, e, c, live, cards.Thumbs{Show: true, Plain: s.Older, Copies: p.Copies, Missing: s.Missing, ZIP: v.ZIP, Asks: p.Asks})
	}}
	if len(p.Sheets) > 0 {
		return withPlain(links, fixed(cards.Review(t, e, c, live, cards.Thumbs{Sheets: p.Sheets, ZIP: v.ZIP, Asks: p.Asks})), best, fixed(links))
	}
	return withPlain(links, best, fixed(links))
}

func cut(text string, runes int) string {
	if r := []rune(text); len(r) > runes {
		return string(r[:runes-1]) + "…"
	}
	return text
}

// turn waits until the channel takes a message, in the queue and not here: the worker is
// for other channels meanwhile, and whichever replica has the lane next keeps the pace.
func (v *announceRun) turn(ctx context.Context) error {
	if v.ours {
		return nil
	}
	after := v.Slack.Turn(ctx, v.t.Owner.Channel)
	if after <= 0 {
		v.ours = true
		return nil
	}
	if v.unsaved {
		if err := v.saveState(ctx, v.memory); err != nil {
			return err
		}
	}
	return queue.Wait(after)
}

// post leaves its intent and posts the first form that Slack takes. A post that
// Slack surely refused is remembered: it needs no looking for.
func (v *announceRun) post(ctx context.Context, mark int64, p bot.Post, forms []form) (string, error) {
	if err := v.turn(ctx); err != nil {
		return "", err
	}
	var ts string
	err := v.offer(ctx, p, plainer(forms, v.memory.unansweredOf(mark)), func(p bot.Post) (err error) {
		if err := v.Store.BeginPost(ctx, v.id, v.generation, mark); err != nil {
			return err
		}
		v.ours = false
		ts, err = v.Slack.Post(ctx, p)
		return err
	})
	if surelyNotSent(err) {
		err = errors.Join(err, v.rememberUnsent(ctx))
	}
	return ts, err
}

func (v *announceRun) edit(ctx context.Context, ts string, forms []form) error {
	return v.offer(ctx, bot.Post{}, forms, func(p bot.Post) error {
		return v.Slack.Edit(ctx, ts, p)
	})
}

// patience is how often a form is tried that Slack neither takes nor refuses: fetching
// its pictures may be what takes Slack too long.
const patience = 2

// plainer leaves out the forms that were tried often enough. The last form, which has
// no metadata to be found by, is only for a Slack that refuses all others.
func plainer(forms []form, tries int) []form {
	return forms[min(tries/patience, len(forms)-2):]
}

// offer sends the first form that Slack takes, each in the best shape that it takes: see [bot.Offer].
func (v *announceRun) offer(ctx context.Context, p bot.Post, forms []form, send func(bot.Post) error) error {
	p.Channel = v.t.Owner.Channel
	var err error
	for _, f := range forms {
		first := bot.Shape{Older: !f.newer, Missing: v.memory.Missing}
		var last bot.Shape
		last, err = bot.Offer(first, func(s bot.Shape) ([]slack.Block, error) {
			m := f.draw(s)
			p.Text, p.Blocks, p.Metadata = m.Text, m.Blocks, m.Metadata
			return p.Blocks, v.noteRefusal(ctx, send(p))
		})
		v.leaveOut(last.Missing)
		if !errors.Is(err, bot.ErrPayload) {
			return err
		}
	}
	return err
}

// noteRefusal notes what Slack refused, and returns it.
func (v *announceRun) noteRefusal(ctx context.Context, err error) error {
	if errors.Is(err, bot.ErrPayload) {
		v.Log.WarnContext(ctx, "payload refused", "order", v.id, "err", err)
		v.imageless = v.imageless || errors.Is(err, bot.ErrImage)
	}
	return err
}

// leaveOut adds pictures to those that Slack could not fetch.
func (v *announceRun) leaveOut(missing []string) {
	had := len(v.memory.Missing)
	for _, address := range missing {
		if !slices.Contains(v.memory.Missing, address) {
			v.memory.Missing = append(v.memory.Missing, address)
		}
	}
	v.unsaved = v.unsaved || len(v.memory.Missing) > had
}

// surelyNotSent tells Slack's certain ways to say that nothing was posted.
func surelyNotSent(err error) bool {
	_, out := outOfReach(err)
	refused := out || errors.Is(err, bot.ErrTryLater) || errors.Is(err, bot.ErrPayload) || errors.Is(err, bot.ErrGone)
	return refused && !errors.Is(err, bot.ErrUnknownOutcome)
}

// rememberUnsent keeps the mark that the refused post left, as the store dated it.
func (v *announceRun) rememberUnsent(ctx context.Context) error {
	t, _, err := v.Store.Pending(ctx, v.id)
	if err != nil || t.InFlight == nil {
		return err
	}
	m := v.memory
	m.Unsent = t.InFlight
	return v.saveState(ctx, m)
}
