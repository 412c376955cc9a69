package notifier

import (
	"context"
	"errors"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/order"
	"darkroom/store/queue"
)

// cardMark stands for the card where events have their number.
const cardMark int64 = 0

// bareText is how much of a message survives when Slack takes nothing else of it.
const bareText = 300

// formsOf are the shapes a message is offered to Slack in, best first: a
// payload that Slack rejects must not block the events behind it.
func formsOf(messages ...cards.Message) []cards.Message {
	plain := cards.Plain(messages[0])
	bare := cards.Message{Text: cut(plain.Text, bareText), Metadata: plain.Metadata}
	return append(messages, plain, bare, cards.Message{Text: bare.Text})
}

// replyForms offers a reply without its pictures too, when it had some. Previews that
// Slack could not fetch are shown from their copies in Slack.
func (v *announceRun) replyForms(e order.Event, live bool, copies cards.Copies) []cards.Message {
	full := cards.Reply(v.t, e, live, cards.Thumbs{Show: true, Copies: copies})
	if e.Kind != order.EventReady {
		return formsOf(full)
	}
	return formsOf(full, cards.Reply(v.t, e, live, cards.Thumbs{}))
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
	after := v.Slack.Turn(ctx, v.t.Owner.Channel)
	if after <= 0 {
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
func (v *announceRun) post(ctx context.Context, mark int64, p bot.Post, forms []cards.Message) (string, error) {
	if err := v.turn(ctx); err != nil {
		return "", err
	}
	var ts string
	err := v.offer(ctx, p, plainer(forms, v.memory.unansweredOf(mark)), func(p bot.Post) (err error) {
		if err := v.Store.BeginPost(ctx, v.id, v.generation, mark); err != nil {
			return err
		}
		ts, err = v.Slack.Post(ctx, p)
		return err
	})
	if surelyNotSent(err) {
		err = errors.Join(err, v.rememberUnsent(ctx))
	}
	return ts, err
}

func (v *announceRun) edit(ctx context.Context, ts string, forms []cards.Message) error {
	return v.offer(ctx, bot.Post{}, forms, func(p bot.Post) error {
		return v.Slack.Edit(ctx, ts, p)
	})
}

// patience is how often a form is tried that Slack neither takes nor refuses: fetching
// its pictures may be what takes Slack too long.
const patience = 2

// plainer leaves out the forms that were tried often enough. The last form, which has
// no metadata to be found by, is only for a Slack that refuses all others.
func plainer(forms []cards.Message, tries int) []cards.Message {
	return forms[min(tries/patience, len(forms)-2):]
}

func (v *announceRun) offer(ctx context.Context, p bot.Post, forms []cards.Message, send func(bot.Post) error) error {
	p.Channel = v.t.Owner.Channel
	var err error
	for _, form := range forms {
		p.Text, p.Blocks, p.Metadata = form.Text, form.Blocks, form.Metadata
		if err = send(p); !errors.Is(err, bot.ErrPayload) {
			return err
		}
		v.imageless = v.imageless || errors.Is(err, bot.ErrImage)
		v.Log.WarnContext(ctx, "payload refused", "order", v.id, "err", err)
	}
	return err
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
