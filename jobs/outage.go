package jobs

import (
	"errors"
	"time"

	"darkroom/bot"
	"darkroom/order"
	"darkroom/store/queue"
)

// outage tells whether err is somebody not answering, which passes by itself, rather
// than an answer that will not change.
func outage(err error) bool {
	return bot.Outage(err) || queue.Away(err) || errors.Is(err, order.ErrUnavailable)
}

// outageWait is as long as the other side asked for, else a few seconds.
func outageWait(err error) time.Duration {
	if after, ok := bot.RetryAfter(err); ok {
		return min(after, 10*time.Minute)
	}
	var told *order.Error
	if errors.As(err, &told) && told.RetryAfter > 0 {
		return min(told.RetryAfter, 10*time.Minute)
	}
	return 5 * time.Second
}
