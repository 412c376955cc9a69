package retention

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"darkroom/order"
	"darkroom/store"
	"darkroom/store/kv"
	"darkroom/store/script"
)

// A closed order of fifty images weighs a hundred kilobytes. Nearly all of that are addresses of
// pictures, which the service can give again, and words that the thread in Slack has. Lists,
// reports and the history need a few hundred bytes. They are apart from the hash: Redis packs a
// hash tightly only while no value is longer than 64 bytes (hash-max-listpack-value).

// historyWeight bounds the events of a shrunk order, in bytes.
const historyWeight = 900

// historyWords is how many runes of an event's words a history shows.
const historyWords = 80

// shrink removes the pictures and the conversation from an order. Adopted then says, as of an
// order made elsewhere, that its conversation so far is not announced. The version stays: no
// job that read the order before is stale. An order that is not announced completely, or that a
// job waits for, is put off.
func (s *Retirement) shrink(ctx context.Context, old store.Tracked, later time.Duration) error {
	if old.Shrunk || !old.Untracked && !old.Order.Status.Final() {
		_, err := s.step(ctx, "rest", old, script.Args{}) // gone at the service, it may come back as it was
		return kv.About("order", old.ID, err)
	}
	events, err := s.orders.Events(ctx, old.ID)
	if err != nil {
		return errors.Join(err, s.putOff(ctx, "finished", old.ID, later))
	}
	_, err = s.step(ctx, "shrink", old, script.Args{
		"later": later, "snapshot": store.Snapshot(old), "history": shortHistory(events),
	})
	return kv.About("order", old.ID, err)
}

// shortHistory shortens events to the data of an order's history: what happened, when, by whom,
// and the first words. If that is too much, it drops the oldest words first, and then the
// oldest events except the very first.
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

// beginning returns the first runes of some words; nil without words.
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
