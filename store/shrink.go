package store

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"darkroom/order"
	"darkroom/store/kv"
	"darkroom/store/script"
)

// A closed order of fifty images weighs a hundred kilobytes, nearly all of it pictures whose
// addresses the service gives afresh whenever it is asked, and words that the thread in Slack
// has. What lists, reports and the history need is a few hundred bytes. They are kept apart
// from the hash: Redis packs a hash tightly only while no value of it is longer than 64 bytes
// (hash-max-listpack-value).

// historyWeight bounds, in bytes, what is kept of a shrunk order's events.
const historyWeight = 900

// historyWords is how many runes of an event's words a history shows.
const historyWords = 80

// shrink takes from an order what only its own course needed; Adopted then says, as of an
// order made elsewhere, that its conversation so far is old news. It keeps its version: no
// job that read it before is stale. One that still owes its channel something, or that a
// job waits for, is put off.
func (s *Retirement) shrink(ctx context.Context, old stored, later time.Duration) error {
	if old.Shrunk || !old.Untracked && !old.Order.Status.Final() {
		_, err := s.records.step(ctx, "rest", old.Tracked, script.Args{}) // gone at the service, it may come back as it was
		return orderError(old.ID, err)
	}
	events, err := s.orders.Events(ctx, old.ID)
	if err != nil {
		return errors.Join(err, s.putOff(ctx, "finished", old.ID, later))
	}
	_, err = s.records.step(ctx, "shrink", old.Tracked, script.Args{
		"later": later, "snapshot": kv.Encode(shrunk(old.Tracked)), "history": shortHistory(events),
	})
	return orderError(old.ID, err)
}

// shrunkOrder is what is kept of an order that has shrunk beside its hash. One that shrank before
// briefs were kept has none.
type shrunkOrder struct {
	order.Order
	Brief *order.Brief `json:"brief,omitempty"`
}

// shrunk is what is left of an order: without pictures and talk, and of what was asked for what
// was said.
func shrunk(t Tracked) shrunkOrder {
	kept := shrunkOrder{Order: summary(t)}
	if t.Brief != nil {
		kept.Brief = new(t.Brief.Essence())
	}
	return kept
}

// into puts it back into the order. A brief that became known later is in the hash.
func (s shrunkOrder) into(t *Tracked) {
	t.Order, t.Brief = s.Order, cmp.Or(t.Brief, s.Brief)
}

// shortHistory is what the history of an order shows: what happened, when, who did it, and
// how their words begin. When that is much, the oldest words give way first, and then the
// oldest events but the very first.
func shortHistory(events []order.Event) []string {
	var short []order.Event
	weight := 0
	for _, e := range events {
		e = order.Event{ID: e.ID, Kind: e.Kind, Actor: e.Actor, Words: beginning(e.Words), At: e.At.UTC().Truncate(time.Second)}
		short, weight = append(short, e), weight+len(kv.Encode(e))
	}
	for i := range short {
		if weight > historyWeight && len(short[i].Words) > 0 {
			weight -= len(kv.Encode(short[i]))
			short[i].Words = nil
			weight += len(kv.Encode(short[i]))
		}
	}
	for weight > historyWeight && len(short) > 2 {
		weight -= len(kv.Encode(short[1]))
		short = slices.Delete(short, 1, 2)
	}
	docs := make([]string, len(short))
	for i, e := range short {
		docs[i] = kv.Encode(e)
	}
	return docs
}

// beginning is the first of some words, nil of none.
func beginning(words []string) []string {
	text := strings.TrimSpace(strings.Join(words, " "))
	if text == "" {
		return nil
	}
	if utf8.RuneCountInString(text) > historyWords {
		text = string([]rune(text)[:historyWords-1]) + "…"
	}
	return []string{text}
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
