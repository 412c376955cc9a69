package jobs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/slack-go/slack"

	"darkroom/bot/client"
	"darkroom/cards"
	cardsbatch "darkroom/cards/batch"
	"darkroom/order"
	"darkroom/store"
)

// byCard finds an order that Redis has forgotten by the reference on its card in the channel; nil: no such card. The
// service neither lists nor finds a canceled order, so the card alone shows that it was placed. An error while reading
// the channel is returned, and then nothing is sent.
func (j *Search) byCard(ctx context.Context, d store.Draft) (*order.Order, error) {
	since := d.ReferenceAt.Add(-searchBackTo)
	messages, err := j.slack.History(ctx, d.Channel, since)
	switch {
	case errors.Is(err, client.ErrNotInChannel), errors.Is(err, client.ErrNoChannel), errors.Is(err, client.ErrNotAllowed):
		return nil, nil
	case err != nil && !errors.Is(err, client.ErrTooMany):
		return nil, err
	}
	me, err := j.slack.Identity(ctx)
	if err != nil {
		return nil, err
	}
	messages, err = j.withBatchThreads(ctx, d, messages, since, me)
	if err != nil {
		return nil, err
	}
	for _, m := range messages {
		about, named := cards.AboutOf(m)
		if !me.Wrote(m) || !named || about.Event != cards.CardEvent {
			continue
		}
		if o, err := j.untracked(ctx, d.Reference, about.Order, cards.ReferenceOn(m, about)); o != nil || err != nil {
			return o, err
		}
	}
	return nil, nil
}

// withBatchThreads adds the replies to the cards of the draft's batch, which have the cards of its orders.
func (j *Search) withBatchThreads(ctx context.Context, d store.Draft, messages []slack.Message, since time.Time, me client.Identity) ([]slack.Message, error) {
	all := slices.Clone(messages)
	for _, m := range messages {
		if d.Batch == "" || !me.Wrote(m) || cardsbatch.OfCard(m) != d.Batch {
			continue
		}
		replies, err := j.slack.Read(ctx, client.Reading{Channel: d.Channel, Thread: m.Timestamp, Oldest: since})
		if err != nil && !errors.Is(err, client.ErrTooMany) {
			return nil, err
		}
		all = append(all, replies...)
	}
	return all, nil
}

// untracked returns the order with this id, if it is not tracked and its name or card has the reference; else nil.
func (j *Search) untracked(ctx context.Context, reference, id, shown string) (*order.Order, error) {
	if _, err := j.orders.Order(ctx, id); !errors.Is(err, store.ErrNotTracked) {
		return nil, err
	}
	o, err := j.service.Fetch(ctx, id)
	switch {
	case errors.Is(err, order.ErrInvalidOrder):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("looking for %s: %w", reference, err)
	case shown != reference && !order.Carries(o.ProjectName, reference):
		return nil, nil
	}
	return &o, nil
}
