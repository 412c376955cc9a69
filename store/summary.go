package store

import (
	"context"

	"darkroom/order"
	"darkroom/store/kv"

	"github.com/redis/go-redis/v9"
)

// A list looks at hundreds of orders to show ten of them, and the pictures of one may
// weigh as much as a hundred orders without. So each order's hash holds its snapshot
// twice: in full, and as a summary without what only the order itself shows. Both are written
// in the same step. An order that was kept before there were summaries has none until it
// changes, and is read in full.

// summary is the snapshot without pictures and conversation. It names the customer as that was typed: what was asked
// for is not read with it.
func summary(t Tracked) order.Order {
	o := t.Order
	o.EditedImages, o.Conversation, o.CustomerID = nil, nil, t.CustomerID()
	return o
}

// summaryFields are all that tell whether an order belongs on a list. The first is the summary.
var summaryFields = []string{
	"brief", "reference", "team", "channel", "requester", "generation", "images", "references", "adopted", "left",
	"version", "last_event", "announced", "gone", "pauses", "milestones", "counted",
}

// summaries reads orders in one round trip without pictures, conversation, intent, thread and
// what was asked for, and leaves out those that are not tracked (any more).
func (s *records) summaries(ctx context.Context, ids []string) ([]Tracked, error) {
	found, err := kv.AskAll(ctx, s.db.Redis, ids, func(p redis.Pipeliner, id string) *redis.SliceCmd {
		return p.HMGet(ctx, s.db.Key("order", id), summaryFields...)
	})
	if err != nil {
		return nil, err
	}
	var without []string
	for i, id := range ids {
		if kept, _ := found[i].Val()[0].(string); kept == "" {
			without = append(without, id)
		}
	}
	full, err := s.all(ctx, without)
	if err != nil {
		return nil, err
	}
	byID := map[string]Tracked{}
	for _, t := range full {
		byID[t.ID] = t
	}
	var orders []Tracked
	for i, id := range ids {
		t, known := byID[id]
		if values := found[i].Val(); values[0] != nil {
			if t, err = decodeSummary(id, values); err != nil {
				return nil, orderError(id, err)
			}
			known = !t.Untracked
		}
		if known {
			orders = append(orders, t)
		}
	}
	return orders, nil
}

func decodeSummary(id string, values []any) (Tracked, error) {
	h := map[string]string{}
	for i, field := range summaryFields {
		if value, told := values[i].(string); told {
			h[field] = value
		}
	}
	h["order"] = h["brief"]
	o, err := decode(id, h)
	return o.Tracked, err
}
