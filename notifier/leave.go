package notifier

import (
	"context"
	"errors"
	"fmt"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// leave handles a job of the kind [store.LeaveKind]: in the channel that an order has
// left, its card says so and no button stays. What cannot be edited any more stays as it
// is: pressed, an old button tells who may see the order where it stands. It must run in
// the lane of the old channel.
func (a *Announcer) leave(ctx context.Context, d *queue.Delivery, job store.LeaveJob) error {
	t, err := a.Store.Order(ctx, job.Order)
	if errors.Is(err, store.ErrNotTracked) {
		return nil
	}
	if err != nil {
		return a.postponed(ctx, err)
	}
	// As it was there: nothing of the new place may show.
	back := !t.Untracked && t.Owner.Channel == job.Channel
	t.Owner.Channel, t.Owner.Generation, t.CardTS = job.Channel, job.Generation, job.CardTS
	err = a.cleanUp(ctx, d, departure{LeaveJob: job, t: t, back: back})
	if _, out := outOfReach(err); out {
		a.Log.InfoContext(ctx, "old place left as it is", "order", job.Order, "channel", job.Channel, "err", err)
		return nil
	}
	return a.postponed(ctx, err)
}

// departure is an order's going from a place.
type departure struct {
	store.LeaveJob
	t    store.Tracked // as it was there
	back bool          // the same channel has the order again, with a card of its own
}

// card is what the old card says from now on.
func (l departure) card() []cards.Message {
	if l.back {
		return formsOf(cards.Superseded(l.t))
	}
	return formsOf(cards.Left(l.t))
}

func (a *Announcer) cleanUp(ctx context.Context, d *queue.Delivery, l departure) error {
	memory, err := queue.State[memory](d)
	if err != nil {
		return err
	}
	v := &announceRun{Announcer: a, d: d, id: l.Order, generation: l.Generation, t: l.t, memory: memory}
	events, err := a.Store.Events(ctx, l.Order)
	if err != nil {
		return err
	}
	if err := v.rewrite(ctx, l.CardTS, l.card(), slowCard); err != nil {
		return fmt.Errorf("card: %w", err)
	}
	for _, p := range l.Replies {
		if err := v.stripButtons(ctx, events, p); err != nil {
			return err
		}
	}
	return v.leaveUnrecorded(ctx, events, l)
}

// stripButtons takes the buttons off a reply at the old place.
func (v *announceRun) stripButtons(ctx context.Context, events []order.Event, p store.Posted) error {
	e, known := eventOf(events, p.Event)
	if !known {
		return nil
	}
	if err := v.rewrite(ctx, p.TS, v.buttonlessForms(e, p), slowReplies); err != nil {
		return fmt.Errorf("buttons of %s: %w", e.ID, err)
	}
	return nil
}

// leaveUnrecorded tidies the post that may be out at the old place although nobody
// recorded it, as soon as it can no longer be under way.
func (v *announceRun) leaveUnrecorded(ctx context.Context, events []order.Event, l departure) error {
	if l.Posting == nil {
		return nil
	}
	out, err := v.landed(ctx, *l.Posting, nameOf(events, l.Posting.Event))
	if err != nil {
		return err
	}
	for _, msg := range out {
		if l.Posting.Event == cardMark {
			err = v.rewrite(ctx, msg.Timestamp, l.card(), slowCard)
		} else {
			err = v.stripButtons(ctx, events, store.Posted{Event: l.Posting.Event, TS: msg.Timestamp})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// rewrite edits a message that may be gone, or closed to edits.
func (v *announceRun) rewrite(ctx context.Context, ts string, forms []cards.Message, slow func(*memory) *int) error {
	if ts == "" {
		return nil
	}
	err := v.edit(ctx, ts, forms)
	if errors.Is(err, bot.ErrGone) || errors.Is(err, bot.ErrNotEditable) {
		return nil
	}
	return v.slowEdit(ctx, err, slow)
}
