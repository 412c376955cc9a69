package notifier

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/order"
	"darkroom/store"
)

// live says that a reply's buttons can still be pressed with success: it shows the edit that is
// waiting for an answer now, or the message that is. It looks for what overtook it in events.
func (v *announceRun) live(e order.Event, events []order.Event) bool {
	newer := func(kinds ...order.EventKind) bool {
		return slices.ContainsFunc(events, func(other order.Event) bool { return other.Seq > e.Seq && slices.Contains(kinds, other.Kind) })
	}
	switch e.Kind {
	case order.EventReady:
		return !newer(order.EventReady) && v.t.InReview(e.Order.Rev())
	case order.EventMessage:
		return !newer(order.EventMessage, order.EventEditor) && v.t.Offers(order.VerbMessage, v.t.Order.OrderedAt)
	}
	return false
}

// addressed is an event of the editor's with whom it is for: who wrote to the editor last before it.
func (v *announceRun) addressed(ctx context.Context, e order.Event) (order.Event, error) {
	if e.Kind != order.EventEditor {
		return e, nil
	}
	events, err := v.Store.Events(ctx, v.id)
	for _, other := range events {
		if other.Kind == order.EventMessage && other.Seq < e.Seq && other.Actor != "" {
			e.For = other.Actor
		}
	}
	return e, err
}

// removeStaleButtons takes the buttons off the replies that were superseded.
func (v *announceRun) removeStaleButtons(ctx context.Context) error {
	buttons := map[int64]store.Posted{}
	for _, p := range v.t.Thread {
		if p.Buttons {
			buttons[p.Event] = p
		}
	}
	if len(buttons) == 0 {
		return nil
	}
	events, err := v.Store.Events(ctx, v.id)
	if err != nil {
		return err
	}
	for _, e := range events {
		p, ok := buttons[e.Seq]
		if !ok || v.live(e, events) {
			continue
		}
		if err := v.removeButtons(ctx, e, p); err != nil {
			return fmt.Errorf("buttons of %s: %w", e.ID, err)
		}
	}
	return nil
}

func (v *announceRun) removeButtons(ctx context.Context, e order.Event, p store.Posted) error {
	err := v.edit(ctx, p.TS, v.buttonlessForms(e, p))
	if after, limited := bot.RetryAfter(err); limited {
		return v.editLater(ctx, after)
	}
	if err != nil && !errors.Is(err, bot.ErrGone) && !errors.Is(err, bot.ErrNotEditable) {
		return v.slowEdit(ctx, err, slowReplies)
	}
	return v.Store.ButtonsRemoved(ctx, v.id, v.generation, p.TS)
}

// buttonlessForms are a reply's without its buttons. Pictures that Slack seems to wait for are
// left out; words never are: they are not what takes so long.
func (v *announceRun) buttonlessForms(e order.Event, p store.Posted) []cards.Message {
	forms := v.replyForms(e, false, p.Copies)
	if e.Kind == order.EventReady && v.memory.SlowReplies >= patience {
		return forms[1:]
	}
	return forms
}

// Slow edits of the card and of replies are counted apart: only replies have pictures, which can
// take Slack long.
func slowCard(m *memory) *int    { return &m.SlowCard }
func slowReplies(m *memory) *int { return &m.SlowReplies }

// slowEdit counts the edits that Slack did not answer while it answers others: in the end
// a message stays as it was for a while rather than hold up the channel. Its buttons,
// pressed, say what is possible now.
func (v *announceRun) slowEdit(ctx context.Context, err error, of func(*memory) *int) error {
	_, told := bot.RetryAfter(err)
	if told || !errors.Is(err, bot.ErrTryLater) || v.slackAway(ctx) {
		return err
	}
	m := v.memory
	*of(&m)++
	if *of(&m) > mostSlow {
		v.Log.ErrorContext(ctx, "message left as it was", "order", v.id, "err", err)
		id := fmt.Sprintf("announce:%s:g%d:slow:v%d:a%d", v.id, v.generation, v.t.Version, v.t.Announced)
		return v.again(ctx, id, store.AnnounceJob{Refresh: true}, slowAgain)
	}
	return errors.Join(err, v.saveState(ctx, m))
}

// slackAway says that Slack answers nothing now: that is no fault of an edit.
func (v *announceRun) slackAway(ctx context.Context) bool {
	_, err := v.Slack.History(ctx, v.t.Owner.Channel, time.Now())
	return errors.Is(err, bot.ErrTryLater)
}

const (
	mostSlow  = 6                // edits that one job tries in vain: half a minute
	slowAgain = 10 * time.Minute // until they are tried once more
)
