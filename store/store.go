// Package store is what must outlive a restart, kept in Redis: which channel
// owns which order, what the order looked like last, what happened to it and
// how much of that its channel has been told; the forms people are filling in;
// and the few things that replicas must agree on.
//
// [Store.Record] is the only way an order changes. One atomic step checks the
// version that was read before the service was asked, and then writes the
// snapshot, the events, the indexes and the announcement job together. Events
// come from one pure function, [order.Diff], whoever asks; their ids are deterministic
// and unique per order. So an answer that is late never overwrites a newer
// truth, a change that is recorded twice is told once, and a change that is
// recorded is always announced.
//
// The package calls neither the service nor Slack and knows no words for people.
package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"darkroom/store/keyspace"
	"darkroom/store/queue"
)

// What the methods of [Store] return, wrapped with the order's id.
var (
	ErrStale      = errors.New("the order has changed meanwhile") // fetch it again, then record
	ErrNotTracked = errors.New("not tracked")                     // no channel owns such an order
	ErrMoved      = errors.New("the order has moved")             // another generation owns it now
	ErrNoDraft    = errors.New("no such draft")                   // never kept, or older than seven days
	ErrDraftMoved = errors.New("the draft has moved on")          // what is kept is further than what was to be kept
)

// Store keeps orders and drafts. It is safe for concurrent use.
type Store struct {
	rdb          redis.UniversalClient
	queue        *queue.Queue
	polls        *queue.Queue
	verdictEvery time.Duration // 0: verdictPace
}

// New returns a store over rdb that puts its announcement jobs into q. Both
// must be of one Redis: a change and its job are written in one step.
func New(rdb redis.UniversalClient, q *queue.Queue) *Store {
	return &Store{rdb: rdb, queue: q, polls: q.Beside(PollQueue)}
}

// Keyspace is where the store keeps its keys.
func (s *Store) Keyspace() keyspace.Keyspace { return s.queue.Keyspace() }

// ShowVerdictsEvery returns the store as one by which a channel is shown verdicts at most so often; 0: every 15 seconds.
func (s *Store) ShowVerdictsEvery(pace time.Duration) *Store {
	paced := *s
	paced.verdictEvery = pace
	return &paced
}

// about says what err is about; nil stays nil.
func about(what, name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s %s: %w", what, name, err)
}

func orderError(id string, err error) error { return about("order", id, err) }

// readJSON reads a string of Redis that is JSON; when there is none it returns absent.
func (s *Store) readJSON(ctx context.Context, key string, into any, absent error) error {
	doc, err := s.readDoc(ctx, key, into)
	if err == nil && doc == "" {
		return absent
	}
	return err
}

// readDoc reads a document into what is given, and returns it as it is kept: "" for none.
func (s *Store) readDoc(ctx context.Context, key string, into any) (doc string, err error) {
	doc, err = s.rdb.Get(ctx, key).Result()
	if errors.Is(err, redis.Nil) {
		return "", nil
	}
	if err == nil {
		err = json.Unmarshal([]byte(doc), into)
	}
	return doc, err
}
