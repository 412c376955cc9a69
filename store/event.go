package store

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"darkroom/order"
)

// Events returns all that happened to an order, oldest first.
func (s *Orders) Events(ctx context.Context, id string) ([]order.Event, error) {
	events, err := s.records.events(ctx, id, 0, -1)
	if err != nil || !slices.ContainsFunc(events, func(e order.Event) bool { return e.Kind == order.EventReady && e.Order.EditedImages == nil }) {
		return events, orderError(id, err)
	}
	o, err := s.records.load(ctx, id)
	return withPictures(events, o.Order), err
}

// events returns the events after the given one, as far as the place stop of their list, from 0;
// -1: all.
func (s *records) events(ctx context.Context, id string, after, stop int64) ([]order.Event, error) {
	docs, err := s.db.Redis.LRange(ctx, s.db.Key("events", id), after, stop).Result()
	if err != nil {
		return nil, fmt.Errorf("events: %w", err)
	}
	events := make([]order.Event, len(docs))
	for i, doc := range docs {
		if err := json.Unmarshal([]byte(doc), &events[i]); err != nil {
			return nil, fmt.Errorf("event %d: %w", after+int64(i)+1, err)
		}
		events[i].Seq = after + int64(i) + 1
	}
	return events, nil
}
