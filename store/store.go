// Package store keeps in Redis what must outlive a restart: which channel owns
// which order, the order's last snapshot, its events, how many of them its channel
// shows, the forms people are filling in, and the few facts that replicas share.
//
// [Changes.Record] is the only way an order changes. One atomic step checks the
// version that was read before the service was asked. It then writes the
// snapshot, the events, the indexes and the announcement job together. Events
// come from one pure function, [order.Diff]; their ids are deterministic and
// unique per order. So a late answer never overwrites a newer one, a change that
// is recorded twice is announced once, and every recorded change is announced.
//
// The package calls neither the service nor Slack and writes no messages for people.
package store

import (
	"errors"
	"time"

	"github.com/redis/go-redis/v9"

	"darkroom/store/conn"
	"darkroom/store/keyspace"
	"darkroom/store/kv"
	"darkroom/store/queue"
	"darkroom/store/script"
	"darkroom/store/tenants"
)

// Errors of the parts of [Store], wrapped with the id of the order or draft.
var (
	ErrStale      = errors.New("the order has changed meanwhile") // fetch it again, then record
	ErrNotTracked = errors.New("not tracked")                     // no channel owns such an order
	ErrMoved      = errors.New("the order has moved")             // another generation owns it now
	ErrNoDraft    = errors.New("no such draft")                   // never saved, or older than seven days
	ErrDraftMoved = errors.New("the draft has moved on")          // the saved draft is further along than the given one
)

// Store has a part for each feature of one workspace. It is safe for concurrent use.
type Store struct {
	Orders        *Orders
	Changes       *Changes
	Verdicts      *Verdicts
	Announcements *Announcements
	Follows       *Follows
	Reminders     *Reminders
	Drafts        *Drafts
	Documents     *DocumentStore
	Holds         *Holds
	Batches       *Batches
	BatchCards    *BatchCards
	PhotoThreads  *PhotoThreads
	Pins          *PinDrafts
	Presets       *Presets
	Settings      *ChannelSettings
	Ledgers       *Ledgers
	Reports       *Reports
	OwnPosts      *OwnPosts
	Inbounds      *Inbounds
	Server        *conn.Server
	Connection    *tenants.Connections
	AccountNames  *tenants.AccountNames
	Removals      *tenants.Removals

	records *records
}

// New returns a store over rdb that puts its announcement jobs into q. Both
// must use one Redis: a change and its job are written in one step.
func New(rdb redis.UniversalClient, q *queue.Queue) *Store {
	db := kv.DB{Redis: rdb, Space: q.Keyspace(), Scripts: scripts}
	records := &records{db, q, q.Beside(tenants.PollQueue)}
	server, ledgers, docs := conn.NewServer(rdb, q), &Ledgers{db}, &DocumentStore{db, q}
	orders, drafts, presets := &Orders{db, records}, &Drafts{db, records}, &Presets{db}
	return &Store{
		Orders: orders, Changes: &Changes{db, records, server, ledgers}, Verdicts: &Verdicts{records: records},
		Announcements: &Announcements{db, records}, Follows: &Follows{db, records}, Reminders: &Reminders{db, records},
		Drafts: drafts, Documents: docs, Holds: &Holds{docs, q}, Batches: &Batches{docs}, BatchCards: &BatchCards{db, records}, PhotoThreads: &PhotoThreads{docs}, Pins: &PinDrafts{docs},
		Presets: presets, Settings: &ChannelSettings{db, q, records.polls}, Ledgers: ledgers, Reports: &Reports{db, records},
		OwnPosts: &OwnPosts{db}, Inbounds: &Inbounds{db}, Server: server, Connection: tenants.NewConnections(rdb, records.polls),
		AccountNames: tenants.NewAccountNames(rdb, db.Space), Removals: tenants.NewRemovals(rdb, db.Space), records: records,
	}
}

// DB returns the keys of the store, for the scripts of another package.
func (s *Store) DB(scripts script.Set) kv.DB {
	return kv.DB{Redis: s.records.db.Redis, Space: s.records.db.Space, Scripts: scripts}
}

// Queue returns the queue of the store's jobs.
func (s *Store) Queue() *queue.Queue { return s.records.queue }

// Keyspace returns the keyspace of the store's keys.
func (s *Store) Keyspace() keyspace.Keyspace { return s.records.db.Space }

// ShowVerdictsEvery returns a store that shows a channel verdicts at most once per pace; 0 means 15 seconds.
func (s *Store) ShowVerdictsEvery(pace time.Duration) *Store {
	paced := *s
	paced.Verdicts = &Verdicts{s.records, pace}
	return &paced
}

func orderError(id string, err error) error { return kv.About("order", id, err) }
