package store

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"darkroom/order"
	"darkroom/store/kv"
)

// shrunkOrder is what is kept of an order that has shrunk beside its hash. One that shrank before
// briefs were kept has none.
type shrunkOrder struct {
	order.Order
	Brief *order.Brief `json:"brief,omitempty"`
}

// Snapshot encodes what is left of an order that shrinks: without pictures and talk, and of what was asked for what
// was said.
func Snapshot(t Tracked) string {
	kept := shrunkOrder{Order: summary(t)}
	if t.Brief != nil {
		kept.Brief = new(t.Brief.Essence())
	}
	return kv.Encode(kept)
}

// into puts it back into the order. A brief that became known later is in the hash.
func (s shrunkOrder) into(t *Tracked) {
	t.Order, t.Brief = s.Order, cmp.Or(t.Brief, s.Brief)
}

// withSnapshots reads the snapshots of the orders at those places, which have shrunk, in
// one round trip, and leaves out those that have left meanwhile.
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
	left := map[string]bool{}
	for i, at := range shrunk {
		doc, there := docs[i].(string)
		left[orders[at].ID] = !there
		if there {
			var kept shrunkOrder
			err = cmp.Or(err, json.Unmarshal([]byte(doc), &kept))
			kept.into(&orders[at])
		}
	}
	return slices.DeleteFunc(orders, func(t Tracked) bool { return left[t.ID] }), err
}
