package announce

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"darkroom/bot/client"
	"darkroom/cards"
	"darkroom/order"
	"darkroom/store"
	"darkroom/store/queue"
)

// leave cleans up the channel that an order has left.
type leave struct {
	orders   orders
	recovery *recoveryStage
	forms    *replyForms
	edits    *edits
	later    later
	log      *slog.Logger
}

// handle does a [store.LeaveKind] job: in the old channel it updates the card and removes the buttons. A
// message that cannot be edited stays; its buttons then say where the order is, to those who may see it.
// It must run in the old channel's lane.
func (h *leave) handle(ctx context.Context, d *queue.Delivery, job store.LeaveJob) error {
	t, err := h.orders.Order(ctx, job.Order)
	if errors.Is(err, store.ErrNotTracked) {
		return nil
	}
	if err != nil {
		return postponed(ctx, h.log, err)
	}
	state, err := savedState[jobState](d)
	if err != nil {
		return err
	}
	draw, again := cards.FormerChannelCard, !t.Untracked && t.Owner.Channel == job.Channel
	if again { // the order came back, with a new card
		draw = cards.Superseded
	}
	// The order as the old channel knew it, without traces of the new place.
	t.Owner.Channel, t.Owner.Generation, t.CardTS, t.Root, t.Untracked = job.Channel, job.Generation, job.CardTS, job.Root, !again
	a := &announcement{job: d, id: job.Order, generation: job.Generation, tracked: t, state: state}
	err = h.cleanUp(ctx, a, job, formsOf(draw(t)))
	if err == nil {
		err = h.later.updateBatch(ctx, d, job.Team, job.Channel, job.Batch)
	}
	if _, out := outOfReach(err); out {
		h.log.InfoContext(ctx, "old place left as it is", "order", job.Order, "channel", job.Channel, "err", err)
		return nil
	}
	return h.later.awaitAlone(ctx, h.log, d, err)
}

// cleanUp rewrites the old card and removes the buttons of replies.
func (h *leave) cleanUp(ctx context.Context, a *announcement, l store.LeaveJob, card []form) error {
	events, err := h.orders.Events(ctx, l.Order)
	if err != nil {
		return err
	}
	if err := h.rewrite(ctx, a, l.CardTS, card, slowCard); err != nil {
		return fmt.Errorf("card: %w", err)
	}
	for _, p := range l.Replies {
		if err := h.stripButtons(ctx, a, events, p); err != nil {
			return err
		}
	}
	if l.Posting == nil {
		return nil
	}
	return h.leaveUnrecorded(ctx, a, events, *l.Posting, card)
}

// stripButtons removes the buttons of a reply in the old channel.
func (h *leave) stripButtons(ctx context.Context, a *announcement, events []order.Event, p store.Posted) error {
	e, known := eventOf(events, p.Event)
	if !known {
		return nil
	}
	if err := h.rewrite(ctx, a, p.TS, h.forms.of(ctx, a, e, events, false, store.Posted{}), slowReplies); err != nil {
		return fmt.Errorf("buttons of %s: %w", e.ID, err)
	}
	return nil
}

// leaveUnrecorded cleans up an unrecorded post in the old channel, once it can no longer be in flight.
func (h *leave) leaveUnrecorded(ctx context.Context, a *announcement, events []order.Event, mark store.InFlight, card []form) error {
	out, err := h.recovery.landed(ctx, a, mark, nameOf(events, mark.Event))
	if err != nil {
		return err
	}
	for _, msg := range out {
		if mark.Event == cardMark {
			err = h.rewrite(ctx, a, msg.Timestamp, card, slowCard)
		} else {
			err = h.stripButtons(ctx, a, events, store.Posted{Event: mark.Event, TS: msg.Timestamp})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// rewrite edits a message. It ignores one that is gone or cannot be edited.
func (h *leave) rewrite(ctx context.Context, a *announcement, ts string, forms []form, slow func(*jobState) *int) error {
	if ts == "" {
		return nil
	}
	err := h.edits.edit(ctx, a, ts, forms)
	if errors.Is(err, client.ErrGone) || errors.Is(err, client.ErrNotEditable) {
		return nil
	}
	return h.edits.unanswered(ctx, a, err, slow)
}
