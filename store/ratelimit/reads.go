package ratelimit

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"

	"darkroom/store/keyspace"
	"darkroom/store/script"
)

// Slack takes conversations.history and conversations.replies once a minute each from an app that many workspaces
// install and its Marketplace does not list. It says so nowhere: whoever meets that limit notes it here, and from
// then on all replicas take turns.
const (
	// ReadEvery is how far apart two such calls are: a minute, and what they may lose on their way.
	ReadEvery = 61 * time.Second
	// readGrace is for how long others wait for somebody who does not come back to their turn, and readPlace for how
	// long they have their place in the line when they come after all: their lane may be busy.
	readGrace = 20 * time.Second
	readPlace = 15 * time.Minute
	// readLimitLife is for how long a limit is known that nobody meets any more; what is half read is kept as long.
	readLimitLife = 24 * time.Hour
)

// Reads shares out the calls that read messages, of all replicas together, by the clock of Redis.
type Reads struct {
	rdb   redis.UniversalClient
	space keyspace.Keyspace
	docs  Documents
}

// Documents keeps how far somebody has read. The store does.
type Documents interface {
	PutTTL(ctx context.Context, name string, doc any, life time.Duration) error
	GetIfThere(ctx context.Context, name string, doc any) error
	Delete(ctx context.Context, name string) error
}

// NewReads returns the turns that all replicas share in a keyspace.
func NewReads(rdb redis.UniversalClient, space keyspace.Keyspace, docs Documents) *Reads {
	return &Reads{rdb, space, docs}
}

// Turn takes who's turn to call the method, when it has come (wait is 0). When it has not, they wait for it in a line,
// and are to come back after so long; those who are late let all others go first. Nobody waits for one who has no name.
// Where the method is not limited it is always everybody's turn.
func (r *Reads) Turn(ctx context.Context, method, who string, late bool) (wait time.Duration, limited bool, err error) {
	ms, err := scripts.Run(ctx, r.rdb, "read_turn", r.keys(method), script.Args{
		"who": who, "late": late, "wait": who != "", "every": ReadEvery.Milliseconds(), "grace": readGrace.Milliseconds(), "keep": readPlace.Milliseconds(),
	}).Int64()
	return time.Duration(max(ms, 0)) * time.Millisecond, ms >= 0, about("turn of", method, err)
}

// Limit keeps that Slack limits the method, and takes no call of it for so long. It tells whether that is news.
func (r *Reads) Limit(ctx context.Context, method string, wait time.Duration) (news bool, err error) {
	n, err := scripts.Run(ctx, r.rdb, "read_limit", r.keys(method), script.Args{"ms": wait.Milliseconds(), "life": readLimitLife.Milliseconds()}).Int64()
	return n == 1, about("limit of", method, err)
}

// Keep keeps how far somebody has read who must wait for their next turn.
func (r *Reads) Keep(ctx context.Context, who string, progress any) error {
	return r.docs.PutTTL(ctx, readingNote(who), progress, readLimitLife)
}

// Kept reads that; nothing kept leaves progress as it is.
func (r *Reads) Kept(ctx context.Context, who string, progress any) error {
	return r.docs.GetIfThere(ctx, readingNote(who), progress)
}

// Drop forgets it.
func (r *Reads) Drop(ctx context.Context, who string) error {
	return r.docs.Delete(ctx, readingNote(who))
}

func (r *Reads) keys(method string) script.Keys {
	return script.Keys{"reads": r.space.Key("reads", method)}
}

func readingNote(who string) string { return "reading:" + who }
