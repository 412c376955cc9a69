package jobs

import (
	"context"
	"errors"
	"fmt"

	"darkroom/bot"
	"darkroom/cards"
	"darkroom/order"
	"darkroom/store"
)

// A canceled order is in no list of the service and in no search. When Redis has forgotten that an
// order was placed and taken back, only its card in the channel still knows of it.

// findByCard is the order with the draft's reference whose card stands in its channel although nothing
// is known of it here any more; nil: there is none. Where nothing can be read nothing is sent either. The
// card itself shows the reference, so it finds an order at a service that keeps names of its own as well.
func (p *placeRun) findByCard(ctx context.Context) (*order.Order, error) {
	messages, err := p.slack.History(ctx, p.draft.Channel, p.draft.ReferenceAt.Add(-searchBackTo))
	switch {
	case errors.Is(err, bot.ErrNotInChannel), errors.Is(err, bot.ErrNoChannel), errors.Is(err, bot.ErrNotAllowed):
		return nil, nil
	case err != nil && !errors.Is(err, bot.ErrTooMany):
		return nil, err
	}
	for _, m := range messages {
		about, named := cards.AboutOf(m)
		if ours, err := p.IsOurs(ctx, &m); err != nil {
			return nil, err
		} else if !ours || !named || about.Event != cards.CardEvent {
			continue
		}
		if o, err := p.untrackedOrder(ctx, about.Order, cards.ReferenceOn(m, about)); o != nil || err != nil {
			return o, err
		}
	}
	return nil, nil
}

// untrackedOrder is the order of that id, if it has the draft's reference, or its card shows it, and is not
// tracked; else nil.
func (p *placeRun) untrackedOrder(ctx context.Context, id, shown string) (*order.Order, error) {
	if _, err := p.store.Order(ctx, id); !errors.Is(err, store.ErrNotTracked) {
		return nil, err
	}
	o, err := p.service.Fetch(ctx, id)
	switch {
	case errors.Is(err, order.ErrInvalidOrder):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("looking for %s: %w", p.draft.Reference, err)
	case shown != p.draft.Reference && !order.Carries(o.ProjectName, p.draft.Reference):
		return nil, nil
	}
	return &o, nil
}

// tellCanceled records the end of an order that was canceled before anything was known of it.
func (p *placeRun) tellCanceled(ctx context.Context, t store.Tracked) error {
	if !p.kept.Order.Canceled() || t.Order.Canceled() {
		return nil
	}
	_, err := p.record(ctx, t.ID, "", func(store.Tracked) (order.Order, error) { return *p.kept.Order, nil })
	return err
}
