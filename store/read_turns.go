package store

import (
	"context"
	"time"

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

// ReadTurns shares out the calls that read messages, of all replicas together, by the clock of Redis.
type ReadTurns struct{ store *Store }

// ReadTurns returns the turns that all replicas share.
func (s *Store) ReadTurns() *ReadTurns { return &ReadTurns{s} }

// Turn takes who's turn to call the method, when it has come (wait is 0). When it has not, they wait for it in a line,
// and are to come back after so long; those who are late let all others go first. Nobody waits for one who has no name.
// Where the method is not limited it is always everybody's turn.
func (r *ReadTurns) Turn(ctx context.Context, method, who string, late bool) (wait time.Duration, limited bool, err error) {
	ms, err := r.store.run(ctx, "read_turn", r.keys(method), script.Args{
		"who": who, "late": late, "wait": who != "", "every": ReadEvery.Milliseconds(), "grace": readGrace.Milliseconds(), "keep": readPlace.Milliseconds(),
	})
	return time.Duration(max(ms, 0)) * time.Millisecond, ms >= 0, about("turn of", method, err)
}

// Limit keeps that Slack limits the method, and takes no call of it for so long. It tells whether that is news.
func (r *ReadTurns) Limit(ctx context.Context, method string, wait time.Duration) (news bool, err error) {
	n, err := r.store.run(ctx, "read_limit", r.keys(method), script.Args{"ms": wait.Milliseconds(), "life": readLimitLife.Milliseconds()})
	return n == 1, about("limit of", method, err)
}

// Keep keeps how far somebody has read who must wait for their next turn.
func (r *ReadTurns) Keep(ctx context.Context, who string, progress any) error {
	return r.store.PutTTL(ctx, readingNote(who), progress, readLimitLife)
}

// Kept reads that; nothing kept leaves progress as it is.
func (r *ReadTurns) Kept(ctx context.Context, who string, progress any) error {
	return r.store.GetIfThere(ctx, readingNote(who), progress)
}

// Drop forgets it.
func (r *ReadTurns) Drop(ctx context.Context, who string) error {
	return r.store.Delete(ctx, readingNote(who))
}

func (r *ReadTurns) keys(method string) script.Keys {
	return script.Keys{"reads": r.store.key("reads", method)}
}

func readingNote(who string) string { return "reading:" + who }
