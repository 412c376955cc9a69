package jobs

import (
	"context"
	"slices"
	"time"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/order"
	"darkroom/store"
)

// Rival is what somebody did to an order because of which a verb cannot be asked for any more, nil
// when it is for another reason.
func (j *Jobs) Rival(ctx context.Context, t store.Tracked, verb string) (*order.Event, error) {
	kind, is := map[order.Reason]order.EventKind{
		order.ReasonClosed: order.EventApproved, order.ReasonCanceled: order.EventCanceled, order.ReasonRevising: order.EventChanges,
	}[t.WhyNot(verb)]
	if !is {
		return nil, nil
	}
	events, err := j.store.Events(ctx, t.ID)
	for _, e := range slices.Backward(events) {
		if e.Kind == kind {
			return &e, err
		}
	}
	return nil, err
}

// WhyCannot says why a verb cannot be asked for: who was first, and the sentence that says so of
// the order.
func (j *Jobs) WhyCannot(ctx context.Context, r bot.Request, t store.Tracked, verb, sentence string) (string, *order.Event, error) {
	rival, err := j.Rival(ctx, t, verb)
	return cards.First(rival, r.User, time.Now()) + sentence, rival, err
}
