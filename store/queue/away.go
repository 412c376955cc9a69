package queue

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// awayWait is how long a job waits that met a Redis which is away.
const awayWait = 5 * time.Second

// awayCodes begin the answers with which Redis says that it is not able to serve now:
// nothing is wrong with what it was asked, and the same question will be answered later.
// See https://redis.io/docs/latest/operate/oss_and_stack/management/ and, for the codes,
// src/server.c (createSharedObjects) of Redis 7.
var awayCodes = []string{
	"BUSY", "CLUSTERDOWN", "FAILOVER", "LOADING", "MASTERDOWN", "MISCONF", "NOGOODSLAVE", "NOREPLICAS",
	"OOM", "READONLY", "TRYAGAIN", "UNBLOCKED",
	// The caller is not let in: the settings of Redis changed.
	"NOAUTH", "NOPERM", "WRONGPASS",
	// The cluster is being rearranged faster than the client follows.
	"ASK", "MOVED",
}

// awayWords are what it says without a code of its own.
var awayWords = []string{"max number of clients", "unauthenticated"}

// ErrUnconfirmed says that what was written is in Redis but not yet in as many replicas as
// must have it: a failover may still lose it. Doing it again is safe.
var ErrUnconfirmed = errors.New("too few replicas of Redis have confirmed")

// ErrNoServer says that the address of Redis is unknown just now.
var ErrNoServer = errors.New("no server of Redis is known")

// Away tells whether err means that Redis, or the way to it, is out of order. That passes
// by itself or when somebody mends it, so it uses up no attempt and is nobody's mistake:
// whoever meets it waits. It is the one rule for that, for the queue and for all who
// keep something in Redis; a nil error is not away.
func Away(err error) bool {
	for _, passing := range []error{ErrUnconfirmed, ErrNoServer, redis.ErrClosed, redis.ErrPoolTimeout, redis.ErrPoolExhausted, io.EOF, io.ErrUnexpectedEOF} {
		if errors.Is(err, passing) {
			return true
		}
	}
	if answer, ok := errors.AsType[redis.Error](err); ok {
		return awayAnswer(answer.Error())
	}
	_, network := errors.AsType[*net.OpError](err)
	_, system := errors.AsType[*os.SyscallError](err) // as of a connection that was closed between two writes
	return network || system
}

// Full tells whether Redis takes nothing more because its memory is full (maxmemory).
func Full(err error) bool {
	answer, ok := errors.AsType[redis.Error](err)
	return ok && code(answer.Error()) == "OOM"
}

func awayAnswer(says string) bool {
	return slices.Contains(awayCodes, code(says)) ||
		slices.ContainsFunc(awayWords, func(words string) bool { return strings.Contains(says, words) })
}

// code is the code of an answer. Before Redis 7 the answer to a script hides that of the
// command which failed: "ERR Error running script (call to f_…): @user_script:12: -OOM …".
func code(says string) string {
	if _, inner, scripted := strings.Cut(says, ": -"); scripted && strings.HasPrefix(says, "ERR ") {
		says = inner
	}
	first, _, _ := strings.Cut(says, " ")
	return first
}

// Ready returns nil when Redis takes what is put just now: a replica that cannot write, a
// full memory or a disk that fails answers questions all the same.
func (q *Queue) Ready(ctx context.Context) error {
	return errorf("write", "ready", q.space.rdb.Set(ctx, q.space.key("ready"), 1, time.Minute).Err())
}
