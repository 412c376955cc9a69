package store

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/shopspring/decimal"

	"darkroom/upstream"
)

// EventKind is what kind of thing happened to an order.
type EventKind string

// The kinds of events. A resumed order is told by its card alone.
const (
	Placed     EventKind = "placed"
	Ready      EventKind = "ready"      // a revision can be reviewed
	Changes    EventKind = "changes"    // a revision was asked for
	Message    EventKind = "message"    // our side wrote to the editor
	Editor     EventKind = "editor"     // the editor wrote
	References EventKind = "references" // reference images were added
	Paused     EventKind = "paused"
	Approved   EventKind = "approved"
	Canceled   EventKind = "canceled"
	Moved      EventKind = "moved"
	TrackedNow EventKind = "tracked" // a channel took over an order made elsewhere
	Untracked  EventKind = "untracked"
	Gone       EventKind = "gone"
	Back       EventKind = "back" // the service knows again what was gone
)

// Event is one thing that happened to an order, once.
type Event struct {
	Seq      int64               `json:"-"`  // its place among the order's events, from 1
	ID       string              `json:"id"` // unique per order: "placed", "ready:r0", "message:HASH"
	Kind     EventKind           `json:"kind"`
	Actor    string              `json:"actor,omitempty"` // Slack user id; "": elsewhere, or the service
	Job      string              `json:"job,omitempty"`   // the job whose intent explains it
	Words    []string            `json:"words,omitempty"`
	PerImage map[string][]string `json:"per_image,omitempty"`
	Order    upstream.Order      `json:"order,omitzero"`   // as it was then; pictures only when ready, no conversation
	Credits  decimal.NullDecimal `json:"credits,omitzero"` // placed: what remains
	At       time.Time           `json:"at"`
}

// Events returns all that happened to an order, oldest first.
func (s *Store) Events(ctx context.Context, id string) ([]Event, error) {
	events, err := s.events(ctx, id, 0, -1)
	if err != nil || !slices.ContainsFunc(events, func(e Event) bool { return e.Kind == Ready && e.Order.EditedImages == nil }) {
		return events, orderError(id, err)
	}
	o, err := s.load(ctx, id)
	return withPictures(events, o.Order), err
}

// events returns the events after the given one; last is the Seq of the last
// one wanted, -1 for all.
func (s *Store) events(ctx context.Context, id string, after, last int64) ([]Event, error) {
	stop := last
	if last >= 0 {
		stop = last - 1
	}
	if last == 0 {
		return nil, nil
	}
	docs, err := s.rdb.LRange(ctx, eventsKey(id), after, stop).Result()
	if err != nil {
		return nil, fmt.Errorf("events: %w", err)
	}
	return decodeEvents(docs, after)
}

// decodeEvents reads the events after the given one.
func decodeEvents(docs []string, after int64) ([]Event, error) {
	events := make([]Event, len(docs))
	for i, doc := range docs {
		if err := json.Unmarshal([]byte(doc), &events[i]); err != nil {
			return nil, fmt.Errorf("event %d: %w", after+int64(i)+1, err)
		}
		events[i].Seq = after + int64(i) + 1
	}
	return events, nil
}
