package announce

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
	memory, err := left[memory](d)
	if err != nil {
		return err
	}
	says, again := cards.Left, !t.Untracked && t.Owner.Channel == job.Channel
	if again { // it has the order again, with a card of its own
		says = cards.Superseded
	}
	// As it is there: nothing of the new place may show.
	t.Owner.Channel, t.Owner.Generation, t.CardTS, t.Untracked = job.Channel, job.Generation, job.CardTS, !again
	v := &announceRun{Announcer: a, d: d, id: job.Order, generation: job.Generation, t: t, memory: memory}
	err = v.cleanUp(ctx, job, formsOf(says(t)))
	if _, out := outOfReach(err); out {
		a.Log.InfoContext(ctx, "old place left as it is", "order", job.Order, "channel", job.Channel, "err", err)
		return nil
	}
	return a.awaitAlone(ctx, d, err)
}

// cleanUp makes the old card say what it says from now on, and takes the buttons off the replies.
func (v *announceRun) cleanUp(ctx context.Context, l store.LeaveJob, card []form) error {
	events, err := v.Store.Events(ctx, l.Order)
	if err != nil {
		return err
	}
	if err := v.rewrite(ctx, l.CardTS, card, slowCard); err != nil {
		return fmt.Errorf("card: %w", err)
	}
	for _, p := range l.Replies {
		if err := v.stripButtons(ctx, events, p); err != nil {
			return err
		}
	}
	if l.Posting == nil {
		return nil
	}
	return v.leaveUnrecorded(ctx, events, *l.Posting, card)
}

// stripButtons takes the buttons off a reply at the old place.
func (v *announceRun) stripButtons(ctx context.Context, events []order.Event, p store.Posted) error {
	e, known := eventOf(events, p.Event)
	if !known {
		return nil
	}
	if err := v.rewrite(ctx, p.TS, v.replyForms(ctx, e, events, false, store.Posted{}), slowReplies); err != nil {
		return fmt.Errorf("buttons of %s: %w", e.ID, err)
	}
	return nil
}

// leaveUnrecorded tidies the post that may be out at the old place although nobody
// recorded it, as soon as it can no longer be under way.
func (v *announceRun) leaveUnrecorded(ctx context.Context, events []order.Event, mark store.InFlight, card []form) error {
	out, err := v.landed(ctx, mark, nameOf(events, mark.Event))
	if err != nil {
		return err
	}
	for _, msg := range out {
		if mark.Event == cardMark {
			err = v.rewrite(ctx, msg.Timestamp, card, slowCard)
		} else {
			err = v.stripButtons(ctx, events, store.Posted{Event: mark.Event, TS: msg.Timestamp})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// rewrite edits a message that may be gone, or closed to edits.
func (v *announceRun) rewrite(ctx context.Context, ts string, forms []form, slow func(*memory) *int) error {
	if ts == "" {
		return nil
	}
	err := v.edit(ctx, ts, forms)
	if errors.Is(err, bot.ErrGone) || errors.Is(err, bot.ErrNotEditable) {
		return nil
	}
	return v.slowEdit(ctx, err, slow)
}
