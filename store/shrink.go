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

	"github.com/redis/go-redis/v9"

	"darkroom/order"
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

var (
	shrinkScript = newScript("shrink", timeLua, finishedLua)
	restScript   = newScript("rest", timeLua, finishedLua)
)

// shrinkArgs are the argument of shrink.lua.
type shrinkArgs struct {
	ID      string   `json:"id"`
	Version int64    `json:"version,string"` // that must hold
	Later   int64    `json:"later,string"`   // ms by which one that is not idle is put off
	Brief   string   `json:"brief"`
	History []string `json:"history"` // events as JSON
}

// restArgs are the argument of rest.lua.
type restArgs struct {
	ID      string `json:"id"`
	Version int64  `json:"version,string"` // that must hold
}

// shrink takes from an order what only its own course needed; Adopted then says, as of an
// order made elsewhere, that its conversation so far is old news. It keeps its version: no
// job that read it before is stale. One that still owes its channel something, or that a
// job waits for, is put off.
func (s *Store) shrink(ctx context.Context, id string, later time.Duration) error {
	old, err := s.load(ctx, id)
	switch {
	case errors.Is(err, ErrNotTracked):
		return s.forgetFinished(ctx, id)
	case err != nil:
		return errors.Join(err, s.putOff(ctx, finishedKey(), id, later)) // before others that can
	case old.Shrunk, !old.Untracked && !old.Order.Status.Final():
		return orderError(id, s.rest(ctx, old)) // gone at the service, it may come back as it was
	}
	events, err := s.Events(ctx, id)
	if err != nil {
		return errors.Join(err, s.putOff(ctx, finishedKey(), id, later))
	}
	return orderError(id, s.script(ctx, shrinkScript, s.finishedKeys(id), shrinkArgs{
		ID: id, Version: old.Version, Later: later.Milliseconds(), Brief: encodeBrief(old.Order), History: shortHistory(events),
	}).Err())
}

// rest says that there is nothing to take from an order: it waits for its time to leave.
func (s *Store) rest(ctx context.Context, o stored) error {
	return s.script(ctx, restScript, []string{orderKey(o.ID), finishedKey(), shrunkKey()}, restArgs{o.ID, o.Version}).Err()
}

// shortHistory is what the history of an order shows: what happened, when, who did it, and
// how their words begin. When that is much, the oldest words give way first, and then the
// oldest events but the very first.
func shortHistory(events []order.Event) []string {
	var short []order.Event
	weight := 0
	for _, e := range events {
		e = order.Event{ID: e.ID, Kind: e.Kind, Actor: e.Actor, Words: beginning(e.Words), At: e.At.UTC().Truncate(time.Second)}
		short, weight = append(short, e), weight+len(encode(e))
	}
	for i := range short {
		if weight > historyWeight && len(short[i].Words) > 0 {
			weight -= len(encode(short[i]))
			short[i].Words = nil
			weight += len(encode(short[i]))
		}
	}
	for weight > historyWeight && len(short) > 2 {
		weight -= len(encode(short[1]))
		short = slices.Delete(short, 1, 2)
	}
	docs := make([]string, len(short))
	for i, e := range short {
		docs[i] = encode(e)
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

// shrunkSnapshot is the snapshot of an order that has shrunk.
func (s *Store) shrunkSnapshot(ctx context.Context, id string) (o order.Order, err error) {
	doc, err := s.rdb.Get(ctx, snapshotKey(id)).Bytes()
	if errors.Is(err, redis.Nil) {
		err = ErrNotTracked // it has left since its hash was read
	}
	if err == nil {
		err = json.Unmarshal(doc, &o)
	}
	return o, err
}

// withSnapshots reads the snapshots of the orders at those places, which have shrunk, in
// one round trip, and leaves out those that have left meanwhile.
func (s *Store) withSnapshots(ctx context.Context, orders []Tracked, shrunk []int) ([]Tracked, error) {
	if len(shrunk) == 0 {
		return orders, nil
	}
	keys := make([]string, len(shrunk))
	for i, at := range shrunk {
		keys[i] = snapshotKey(orders[at].ID)
	}
	docs, err := s.rdb.MGet(ctx, keys...).Result()
	if err != nil {
		return nil, err
	}
	left := map[string]bool{}
	for i, at := range shrunk {
		doc, there := docs[i].(string)
		left[orders[at].ID] = !there
		if there {
			err = cmp.Or(err, json.Unmarshal([]byte(doc), &orders[at].Order))
		}
	}
	return slices.DeleteFunc(orders, func(t Tracked) bool { return left[t.ID] }), err
}
