package notifier

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/store"
	"darkroom/store/queue"
)

// Leave handles a job of the kind [store.LeaveKind]: in the channel that an order has
// left, its card says so and no button stays. What cannot be edited any more stays as it
// is: pressed, an old button tells who may see the order where it stands. It must run in
// the lane of the old channel.
func (a *Announcer) Leave(ctx context.Context, d *queue.Delivery) error {
	var job store.LeaveJob
	if err := json.Unmarshal(d.Body, &job); err != nil {
		return queue.Dead(fmt.Errorf("leave job: %w", err))
	}
	t, err := a.store.Order(ctx, job.Order)
	if errors.Is(err, store.ErrNotTracked) {
		return nil
	}
	if err != nil {
		return a.postponed(ctx, err)
	}
	// As it was there: nothing of the new place may show.
	t.Owner.Channel, t.Owner.Generation = job.Channel, job.Generation
	err = a.leave(ctx, d, t, job)
	if _, out := outOfReach(err); out {
		a.log.InfoContext(ctx, "old place left as it is", "order", job.Order, "channel", job.Channel, "err", err)
		return nil
	}
	return a.postponed(ctx, err)
}

func (a *Announcer) leave(ctx context.Context, d *queue.Delivery, t store.Tracked, job store.LeaveJob) error {
	v := &visit{Announcer: a, d: d, id: job.Order, generation: job.Generation, t: t}
	if err := v.recall(); err != nil {
		return queue.Dead(err)
	}
	events, err := a.store.Events(ctx, job.Order)
	if err != nil {
		return err
	}
	if err := v.rewrite(ctx, job.CardTS, formsOf(cards.Left(t))); err != nil {
		return fmt.Errorf("card: %w", err)
	}
	for _, p := range job.Replies {
		for _, e := range events {
			if e.Seq != p.Event {
				continue
			}
			if err := v.rewrite(ctx, p.TS, v.replyForms(e, false)); err != nil {
				return fmt.Errorf("buttons of %s: %w", e.ID, err)
			}
		}
	}
	return nil
}

// rewrite edits a message that may be gone.
func (v *visit) rewrite(ctx context.Context, ts string, forms []cards.Message) error {
	if ts == "" {
		return nil
	}
	err := v.edit(ctx, ts, plainer(forms, v.memory.Slow))
	if errors.Is(err, bot.ErrGone) {
		return nil
	}
	return v.slowEdit(ctx, err)
}
