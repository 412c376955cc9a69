package notifier

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"darkroom/bot"
	"darkroom/store"
	"darkroom/upstream"
)

// live says that a reply's buttons can still be pressed with success: it shows
// the edit that is waiting for an answer now. It looks for a newer one in events.
func (v *visit) live(e store.Event, events []store.Event) bool {
	newer := slices.ContainsFunc(events, func(other store.Event) bool {
		return other.Kind == store.Ready && other.Seq > e.Seq
	})
	return e.Kind == store.Ready && !newer && !v.t.Gone && !v.t.Left &&
		v.t.Order.Status == upstream.Reviewing && v.t.Order.Rev() == e.Order.Rev()
}

// quiet takes the buttons off the replies that were superseded.
func (v *visit) quiet(ctx context.Context) error {
	buttons := map[int64]store.Posted{}
	for _, p := range v.t.Thread {
		if p.Buttons {
			buttons[p.Event] = p
		}
	}
	if len(buttons) == 0 {
		return nil
	}
	events, err := v.store.Events(ctx, v.id)
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

func (v *visit) removeButtons(ctx context.Context, e store.Event, p store.Posted) error {
	err := v.edit(ctx, p.TS, plainer(v.replyForms(e, false), v.memory.Slow))
	if err != nil && !errors.Is(err, bot.ErrGone) && !errors.Is(err, bot.ErrNotEditable) {
		return v.slowEdit(ctx, err)
	}
	return v.store.ButtonsRemoved(ctx, v.id, v.generation, p.TS)
}

// slowEdit counts the edits that Slack did not answer: the next ones carry less, and
// in the end a message stays as it was rather than hold up the channel. Its buttons,
// pressed, say what is possible now.
func (v *visit) slowEdit(ctx context.Context, err error) error {
	_, told := bot.RetryAfter(err)
	if told || !errors.Is(err, bot.ErrTryLater) {
		return err
	}
	m := v.memory
	m.Slow++
	if m.Slow > mostSlow {
		v.log.ErrorContext(ctx, "message left as it was", "order", v.id, "err", err)
		return nil
	}
	return errors.Join(err, v.remember(ctx, m))
}

// mostSlow is how many edits one job tries in vain: five minutes.
const mostSlow = 60
