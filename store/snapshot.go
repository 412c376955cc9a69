package store

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"darkroom/order"
	"darkroom/store/kv"
)

// shrunkOrder is the snapshot of a shrunk order, beside its hash. Brief is nil if the order shrank before
// briefs were saved.
type shrunkOrder struct {
	order.Order
	Brief *order.Brief `json:"brief,omitempty"`
}

// Snapshot returns the snapshot of an order that shrinks, as JSON: without pictures and conversation, with
// the essence of its brief.
func Snapshot(t Tracked) string {
	snapshot := shrunkOrder{Order: *summary(t).Order}
	if t.Brief != nil {
		snapshot.Brief = new(t.Brief.Essence())
	}
	return kv.Encode(snapshot)
}

// into writes the snapshot into the order. A brief that became known later is in the hash.
func (s shrunkOrder) into(t *Tracked) {
	t.Order, t.Brief = s.Order, cmp.Or(t.Brief, s.Brief)
}

// withSnapshots reads the snapshots of the shrunk orders, at those places, in one round
// trip. It leaves out orders that were deleted meanwhile.
func (s *records) withSnapshots(ctx context.Context, orders []Tracked, shrunk []int) ([]Tracked, error) {
	if len(shrunk) == 0 {
		return orders, nil
	}
	keys := make([]string, len(shrunk))
	for i, at := range shrunk {
		keys[i] = s.db.Key("snapshot", orders[at].ID)
	}
	docs, err := s.db.Redis.MGet(ctx, keys...).Result()
	if err != nil {
		return nil, err
	}
	deleted := map[string]bool{}
	for i, at := range shrunk {
		doc, exists := docs[i].(string)
		deleted[orders[at].ID] = !exists
		if exists {
			var snapshot shrunkOrder
			err = cmp.Or(err, json.Unmarshal([]byte(doc), &snapshot))
			snapshot.into(&orders[at])
		}
	}
	return slices.DeleteFunc(orders, func(t Tracked) bool { return deleted[t.ID] }), err
}
