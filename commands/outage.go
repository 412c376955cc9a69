package commands

import (
	"context"
	"errors"
	"net"
	"time"

	"github.com/redis/go-redis/v9"

	"darkroom/bot"
	"darkroom/upstream"
)

// outage tells whether err is somebody not answering, which passes by itself, rather
// than an answer that will not change.
func outage(err error) bool {
	for _, passing := range []error{
		upstream.ErrUnavailable, bot.ErrTryLater, bot.ErrUnknownOutcome,
		redis.ErrClosed, redis.ErrPoolTimeout, context.DeadlineExceeded,
	} {
		if errors.Is(err, passing) {
			return true
		}
	}
	var network net.Error
	return errors.As(err, &network)
}

// outageWait is as long as the other side asked for, else a few seconds.
func outageWait(err error) time.Duration {
	if after, ok := bot.RetryAfter(err); ok {
		return min(after, 10*time.Minute)
	}
	var told *upstream.Error
	if errors.As(err, &told) && told.RetryAfter > 0 {
		return min(told.RetryAfter, 10*time.Minute)
	}
	return 5 * time.Second
}

// redisAway tells whether it is our own memory that does not answer: then nobody can
// be told anything for sure, and the job runs again.
func redisAway(err error) bool {
	var network *net.OpError
	return errors.Is(err, redis.ErrClosed) || errors.Is(err, redis.ErrPoolTimeout) || errors.As(err, &network)
}
