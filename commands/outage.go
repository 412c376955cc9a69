package commands

import (
	"context"
	"errors"
	"io"
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
		context.DeadlineExceeded,
	} {
		if errors.Is(err, passing) {
			return true
		}
	}
	return redisAway(err)
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
	for _, passing := range []error{redis.ErrClosed, redis.ErrPoolTimeout, io.EOF, io.ErrUnexpectedEOF} {
		if errors.Is(err, passing) {
			return true
		}
	}
	for _, prefix := range []string{"LOADING", "READONLY", "MASTERDOWN", "CLUSTERDOWN", "TRYAGAIN", "BUSY", "OOM"} {
		if redis.HasErrorPrefix(err, prefix) {
			return true
		}
	}
	_, network := errors.AsType[*net.OpError](err)
	return network
}
