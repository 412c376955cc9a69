package ratelimit

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
	"golang.org/x/time/rate"

	"darkroom/store/script"
)

const (
	// redisTimeout is how long a call waits for an answer of Redis.
	redisTimeout = 500 * time.Millisecond
	// redisRetryAfter is how long Redis is not asked after it did not answer.
	redisRetryAfter = 2 * time.Second
)

// burst is how far people's calls may be ahead of the rate.
const burst = time.Second

// limit is a rate of calls that Redis keeps for all replicas. While Redis does not answer, each replica keeps it by itself.
type limit struct {
	rdb       redis.UniversalClient
	key       string
	every     time.Duration // between two slots
	local     *rate.Limiter // while Redis does not answer
	downUntil atomic.Int64  // Redis is not asked until then, unix ns
}

// newLimit returns a limit of perSecond calls a second, at least 1.
func newLimit(rdb redis.UniversalClient, key string, perSecond int) *limit {
	perSecond = max(perSecond, 1)
	return &limit{
		rdb: rdb, key: key,
		every: max(time.Second/time.Duration(perSecond), time.Microsecond),
		local: rate.NewLimiter(rate.Limit(perSecond), perSecond),
	}
}

// redisDown reports whether Redis did not answer a moment ago and is not asked.
func (l *limit) redisDown() bool { return time.Now().UnixNano() < l.downUntil.Load() }

// reserve runs a script that reserves slots. If it reserved some, after is the time until the first. Otherwise ask again
// after that time. After an error Redis is not asked for a while, unless ctx has ended.
func (l *limit) reserve(ctx context.Context, name string, args script.Args) (after time.Duration, reserved bool, err error) {
	soon, cancel := context.WithTimeout(ctx, redisTimeout)
	defer cancel()
	args["every"], args["burst"] = l.every.Microseconds(), burst.Microseconds()
	micros, err := scripts.Run(soon, l.rdb, name, script.Keys{"turns": l.key}, args).Int64()
	if err != nil {
		if ctx.Err() == nil {
			l.downUntil.Store(time.Now().Add(redisRetryAfter).UnixNano())
		}
		return 0, false, err
	}
	after = time.Duration(micros) * time.Microsecond
	return after.Abs(), micros >= 0, nil
}

// pause waits for d, or returns the context's error.
func pause(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
