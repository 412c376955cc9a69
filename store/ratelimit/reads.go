package ratelimit

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"

	"darkroom/store/keyspace"
	"darkroom/store/script"
)

// Slack allows conversations.history and conversations.replies once a minute each for an app that is distributed but not
// listed in its Marketplace. No request tells whether the limit applies. The first replica that meets it calls
// [Reads.Limit], and from then on all replicas take turns.
const (
	// ReadEvery is the time between two such calls: a minute, and some time for the network.
	ReadEvery = 61 * time.Second
	// readGrace is how long others wait for a reader that does not come back for its slot. readPlace is how long the
	// reader still has its place in the line: its lane may be busy.
	readGrace = 20 * time.Second
	readPlace = 15 * time.Minute
	// readLimitLife is how long a limit counts after it was last met, and how long progress is saved.
	readLimitLife = 24 * time.Hour
)

// Reads limits the calls that read messages, of all replicas together, by the clock of Redis.
type Reads struct {
	rdb   redis.UniversalClient
	space keyspace.Keyspace
	docs  Documents
}

// Documents saves the progress of readers. The store implements it.
type Documents interface {
	PutTTL(ctx context.Context, name string, doc any, life time.Duration) error
	GetIfThere(ctx context.Context, name string, doc any) error
	Delete(ctx context.Context, name string) error
}

// NewReads returns the limits that all replicas share in a keyspace.
func NewReads(rdb redis.UniversalClient, space keyspace.Keyspace, docs Documents) *Reads {
	return &Reads{rdb, space, docs}
}

// Slot takes the slot of the reader who to call the method, if it has come: then wait is 0. Otherwise the reader joins a
// line and must come back after wait. Late readers have low priority. An empty who never joins the line. While the
// method is not limited, wait is 0.
func (r *Reads) Slot(ctx context.Context, method, who string, late bool) (wait time.Duration, limited bool, err error) {
	ms, err := scripts.Run(ctx, r.rdb, "read_turn", r.keys(method), script.Args{
		"who": who, "late": late, "wait": who != "", "every": ReadEvery.Milliseconds(), "grace": readGrace.Milliseconds(), "keep": readPlace.Milliseconds(),
	}).Int64()
	return time.Duration(max(ms, 0)) * time.Millisecond, ms >= 0, about("turn of", method, err)
}

// Limit records that Slack limits the method, and allows no call of it for wait. It reports whether that was not known.
func (r *Reads) Limit(ctx context.Context, method string, wait time.Duration) (news bool, err error) {
	n, err := scripts.Run(ctx, r.rdb, "read_limit", r.keys(method), script.Args{"ms": wait.Milliseconds(), "life": readLimitLife.Milliseconds()}).Int64()
	return n == 1, about("limit of", method, err)
}

// Save saves the progress of a reader that waits for its next slot.
func (r *Reads) Save(ctx context.Context, who string, progress any) error {
	return r.docs.PutTTL(ctx, progressNote(who), progress, readLimitLife)
}

// Load loads the saved progress. Without any, it leaves progress unchanged.
func (r *Reads) Load(ctx context.Context, who string, progress any) error {
	return r.docs.GetIfThere(ctx, progressNote(who), progress)
}

// Drop deletes the saved progress.
func (r *Reads) Drop(ctx context.Context, who string) error {
	return r.docs.Delete(ctx, progressNote(who))
}

func (r *Reads) keys(method string) script.Keys {
	return script.Keys{"reads": r.space.Key("reads", method)}
}

func progressNote(who string) string { return "reading:" + who }
