package store

import (
	"context"

	"darkroom/order"
	"darkroom/store/kv"

	"github.com/redis/go-redis/v9"
)

// A list looks at hundreds of orders to show ten of them. The pictures of one order may weigh as
// much as a hundred orders without pictures. So each order's hash holds its snapshot
// twice: in full, and as a summary. Both are written in the same step. An order that was
// saved before summaries existed is read in full until it changes.

// summaryDoc is a summary as saved.
type summaryDoc struct {
	*order.Order
	Preset *string `json:"preset,omitempty"` // see [Tracked.Preset]
}

// summary returns the snapshot without pictures and conversation. It has the customer's ID as typed and the preset,
// because lists and reports do not read the brief.
func summary(t Tracked) summaryDoc {
	o := t.Order
	o.EditedImages, o.Conversation, o.CustomerID = nil, nil, t.CustomerID()
	doc := summaryDoc{Order: &o}
	if preset := t.Preset(); preset != "" {
		doc.Preset = &preset
	}
	return doc
}

// summaryFields are the fields that decide whether an order belongs on a list. The first is the summary.
var summaryFields = []string{
	"brief", "reference", "team", "channel", "requester", "generation", "images", "references", "adopted", "left",
	"version", "last_event", "announced", "gone", "pauses", "milestones", "inspected", "counted",
}

// summaries reads orders in one round trip without pictures, conversation, intent, thread and
// brief, and leaves out untracked and deleted ones.
func (s *records) summaries(ctx context.Context, ids []string) ([]Tracked, error) {
	found, err := kv.AskAll(ctx, s.db.Redis, ids, func(p redis.Pipeliner, id string) *redis.SliceCmd {
		return p.HMGet(ctx, s.db.Key("order", id), summaryFields...)
	})
	if err != nil {
		return nil, err
	}
	var without []string
	for i, id := range ids {
		if summary, _ := found[i].Val()[0].(string); summary == "" {
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
		if value, exists := values[i].(string); exists {
			h[field] = value
		}
	}
	h["order"] = h["brief"]
	o, err := decode(id, h)
	return o.Tracked, err
}
