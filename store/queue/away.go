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

// awayWait is how long a job waits after Redis was away.
const awayWait = 5 * time.Second

// awayCodes are the error codes with which Redis says that it cannot serve now. The request is valid
// and will work later.
// See https://redis.io/docs/latest/operate/oss_and_stack/management/ and, for the codes,
// src/server.c (createSharedObjects) of Redis 7.
var awayCodes = []string{
	"BUSY", "CLUSTERDOWN", "FAILOVER", "LOADING", "MASTERDOWN", "MISCONF", "NOGOODSLAVE", "NOREPLICAS",
	"OOM", "READONLY", "TRYAGAIN", "UNBLOCKED",
	// Access is refused: the settings of Redis changed.
	"NOAUTH", "NOPERM", "WRONGPASS",
	// The cluster is being rearranged faster than the client follows.
	"ASK", "MOVED",
}

// awayTexts are parts of such errors without a code of their own.
var awayTexts = []string{"max number of clients", "unauthenticated"}

// ErrUnconfirmed says that a write is in Redis, but not yet in the required number of replicas. A
// failover may lose it. Repeating it is safe.
var ErrUnconfirmed = errors.New("too few replicas of Redis have confirmed")

// ErrNoServer says that the address of Redis is not known now.
var ErrNoServer = errors.New("no server of Redis is known")

// Away reports whether err means that Redis, or the network to it, does not work. That passes by itself or is
// repaired, so the caller waits and uses up no attempt. All users of Redis share this rule. A nil error is
// not away.
func Away(err error) bool {
	for _, passing := range []error{ErrUnconfirmed, ErrNoServer, redis.ErrClosed, redis.ErrPoolTimeout, redis.ErrPoolExhausted, io.EOF, io.ErrUnexpectedEOF} {
		if errors.Is(err, passing) {
			return true
		}
	}
	if answer, ok := errors.AsType[redis.Error](err); ok {
		return isAwayText(answer.Error())
	}
	_, network := errors.AsType[*net.OpError](err)
	_, system := errors.AsType[*os.SyscallError](err) // e.g. the connection was closed between two writes
	return network || system
}

// Full reports whether Redis refuses writes because its memory is full (maxmemory).
func Full(err error) bool {
	answer, ok := errors.AsType[redis.Error](err)
	return ok && errorCode(answer.Error()) == "OOM"
}

func isAwayText(text string) bool {
	return slices.Contains(awayCodes, errorCode(text)) ||
		slices.ContainsFunc(awayTexts, func(part string) bool { return strings.Contains(text, part) })
}

// errorCode returns the code of an error. Before Redis 7, the error of a script hides that of its
// command: "ERR Error running script (call to f_…): @user_script:12: -OOM …".
func errorCode(text string) string {
	if _, inner, scripted := strings.Cut(text, ": -"); scripted && strings.HasPrefix(text, "ERR ") {
		text = inner
	}
	first, _, _ := strings.Cut(text, " ")
	return first
}

// Ready returns nil if Redis accepts writes now. A read-only replica, a full memory or a failing disk would
// still answer reads.
func (q *Queue) Ready(ctx context.Context) error {
	return errorf("write", "ready", q.space.rdb.Set(ctx, q.space.key("ready"), 1, time.Minute).Err())
}
